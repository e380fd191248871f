// How the limits of what terminals report are reached, while the database takes nothing.
import { expect } from 'vitest';
import { DEVICE_POSITIONS_LIMIT, HELD_POSITIONS_LIMIT, PositionBuffer } from '../../../server/device/positionBuffer.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import type { AlarmOnset } from '../../../server/fleet/alarmOnsets.ts';
import { FleetWatch, HELD_ALARMS_LIMIT } from '../../../server/fleet/fleetWatch.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
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
  alarmBits: 0xffff_ffff,
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

const positionCases: readonly LimitCase[] = [
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

/** Each report begins all alarms that there are. */
const ALARMS_A_REPORT = 32;

const alarmsCase: LimitCase = {
  limit: HELD_ALARMS_LIMIT,
  open: (onLimit) => {
    const { max } = HELD_ALARMS_LIMIT;
    const timers = new ManualTimers();
    const written: AlarmOnset[] = [];
    const add = async (onsets: readonly AlarmOnset[]) => void written.push(...onsets);
    const stores = { alarmOnsets: { add } } as unknown as Pick<Stores, 'fleet' | 'alarmOnsets' | 'onlineHistory'>;
    const registry = new DeviceRegistry(() => 0);
    const watch = new FleetWatch({
      registry,
      stores,
      now: () => AT,
      runAfter: timers.runAfter,
      onFault: failNever,
      onLimit,
    });
    const report = (device: number): void => watch.report(position(`D${device}`, device + 1), false);
    return {
      upTo: () => times(max / ALARMS_A_REPORT, report),
      beyond: () => {
        report(max / ALARMS_A_REPORT);
        timers.advance(1_000);
        expect(written).toHaveLength(max);
        const incarnations = written.map(({ incarnation }) => incarnation);
        expect([Math.min(...incarnations), Math.max(...incarnations)]).toEqual([2, max / ALARMS_A_REPORT + 1]);
      },
    };
  },
};

export const terminalReportCases: readonly LimitCase[] = [...positionCases, alarmsCase];
