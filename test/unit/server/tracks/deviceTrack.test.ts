import { expect, it } from 'vitest';
import { DeviceTrack } from '../../../../server/tracks/engine/deviceTrack.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const AT_MS = Date.UTC(2026, 10, 20);
const DEVICE = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };

it('late positions are held until they are stored, and no longer', () => {
  const track = new DeviceTrack(DEVICE, { now: () => AT_MS, timeZoneOf: () => 'UTC', onLimit: () => undefined });
  const position = { ...DEVICE, latitude: 24, longitude: 120, altitudeM: 0, speedKmh: 40, headingDeg: 0, alarmBits: 0 };
  const times = { deviceTimeMs: wallMs(AT_MS - 3_600_000), receivedAtMs: wallMs(AT_MS), isLate: true };
  track.addLate({ ...position, ...times, statusBits: 3, extra: {} });
  const held = () => track.takeWaiting(AT_MS - 7_200_000, AT_MS).length;
  track.forgetStored(AT_MS + 60_000);
  expect(held()).toBe(1);
  track.forgetStored(AT_MS + 180_000);
  expect(held()).toBe(0);
});
