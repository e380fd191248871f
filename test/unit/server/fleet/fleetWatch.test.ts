import { describe, expect, it } from 'vitest';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import type { AlarmOnset } from '../../../../server/fleet/alarmOnsets.ts';
import { FleetWatch } from '../../../../server/fleet/fleetWatch.ts';
import type { FleetRecord } from '../../../../server/store/fleet/fleet.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const incarnationOf = (deviceId: string): number => deviceId.charCodeAt(0);
const record = (deviceId: string): FleetRecord => ({
  deviceId,
  incarnation: incarnationOf(deviceId),
  name: deviceId,
  plate: '',
  terminalNumber: '',
  deviceGroup: 1,
  groupName: 'G',
  chn: 1,
  wasSeen: true,
});
// Of a position the watch reads these; the rest is the store's business.
const position = (deviceId: string, alarmBits: number, atMs: number) =>
  ({
    deviceId,
    incarnation: incarnationOf(deviceId),
    alarmBits,
    receivedAtMs: atMs,
    deviceTimeMs: atMs,
    latitude: 1,
    longitude: 2,
    speedKmh: 0,
    headingDeg: 0,
  }) as unknown as Position;

function open() {
  const timers = new ManualTimers();
  /** Readings of the devices that were begun, in order: the test answers them when it wants. */
  const readings: ((ids: readonly string[]) => Promise<void>)[] = [];
  const noted: AlarmOnset[] = [];
  const stores = {
    fleet: {
      devices: () =>
        new Promise<FleetRecord[]>((resolve) => {
          readings.push(async (ids) => {
            resolve(ids.map(record));
            await settled();
          });
        }),
      lastReports: async () => [],
    },
    alarmOnsets: { add: async (onsets: readonly AlarmOnset[]) => void noted.push(...onsets) },
    onlineHistory: {},
  } as unknown as Pick<Stores, 'fleet' | 'alarmOnsets' | 'onlineHistory'>;
  const onFault = (error: Error): never => {
    throw error;
  };
  const registry = new DeviceRegistry(timers.now);
  const watch = new FleetWatch({ registry, stores, now: timers.now, runAfter: timers.runAfter, onFault });
  const start = async (ids: readonly string[]): Promise<void> => {
    const started = watch.start();
    await readings.shift()?.(ids);
    await started;
  };
  return { timers, readings, noted, watch, start };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the watch over the fleet', () => {
  it('keeps to the reading that began last, whichever is answered last', async () => {
    const { timers, readings, watch, start } = open();
    await start(['A']);
    timers.advance(10_000);
    watch.reloadSoon();
    timers.advance(300);
    const [earlier, later] = readings;
    await later?.(['A', 'B']);
    expect(watch.board.knows('B')).toBe(true);
    await earlier?.(['A']);
    expect(watch.board.knows('B')).toBe(true);
    await watch.close();
  });

  it('forgets the alarms of a device that is gone: one of the same id begins anew', async () => {
    const { timers, readings, noted, watch, start } = open();
    await start(['A']);
    watch.report(position('A', 1, 1_000), true);
    watch.report(position('A', 1, 2_000), true);
    for (const ids of [[], ['A']]) {
      watch.reloadSoon();
      timers.advance(300);
      await readings.shift()?.(ids);
    }
    watch.report(position('A', 1, 3_000), true);
    await watch.close();
    expect(noted.map(({ atMs }) => atMs)).toEqual([1_000, 3_000]);
  });
});
