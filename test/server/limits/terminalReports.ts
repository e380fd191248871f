// How the limits of what terminals report are reached, while the database takes nothing.
import { expect } from 'vitest';
import { DEVICE_POSITIONS_LIMIT, HELD_POSITIONS_LIMIT, PositionBuffer } from '../../../server/device/positionBuffer.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { failNever } from './terminalScene.ts';

const AT = wallMs(1_795_000_000_000);

const position = (deviceId: string, incarnation = 1): Position => ({
  deviceId,
  incarnation,
  deviceTimeMs: AT,
  receivedAtMs: AT,
  latitude: 0,
  longitude: 0,
  altitudeM: 0,
  speedKmh: 0,
  headingDeg: 0,
  alarmBits: 0,
  statusBits: 0,
  extra: {},
});

/** What it held is written when it is closed. */
function openBuffer(onLimit: OnLimit) {
  const written: Position[] = [];
  const buffer = new PositionBuffer({
    store: { append: async (positions) => void written.push(...positions) },
    devices: { findByDeviceId: async () => undefined },
    runAfter: () => () => undefined,
    onFault: failNever,
    onLimit,
  });
  return { buffer, written };
}

export const terminalReportCases: readonly LimitCase[] = [
  {
    limit: HELD_POSITIONS_LIMIT,
    open: (onLimit) => {
      const { max } = HELD_POSITIONS_LIMIT;
      const { buffer, written } = openBuffer(onLimit);
      const devices = Array.from({ length: 20 }, (_, device) => position(`D${device}`));
      return {
        upTo: () => {
          times(max / devices.length, () => {
            for (const each of devices) expect(buffer.add([each])).toBe(true);
          });
        },
        beyond: async () => {
          expect(buffer.add([position('newest')])).toBe(false);
          await buffer.close();
          expect(written).toHaveLength(max);
          expect(written.some(({ deviceId }) => deviceId === 'newest')).toBe(false);
        },
      };
    },
  },
  {
    limit: DEVICE_POSITIONS_LIMIT,
    open: (onLimit) => {
      const { max } = DEVICE_POSITIONS_LIMIT;
      const { buffer, written } = openBuffer(onLimit);
      return {
        upTo: () => times(max, () => expect(buffer.add([position('D1')])).toBe(true)),
        beyond: async () => {
          expect(buffer.add([position('D1')])).toBe(false);
          expect(buffer.add([position('D2')])).toBe(true);
          await buffer.close();
          const of = (device: string): number => written.filter(({ deviceId }) => deviceId === device).length;
          expect([of('D1'), of('D2')]).toEqual([max, 1]);
        },
      };
    },
  },
];
