import { describe, expect, it } from 'vitest';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import { type PositionReport, ReportFeed } from '../../../../server/device/reportFeed.ts';
import { FleetWatch } from '../../../../server/fleet/fleetWatch.ts';
import type { FleetRecord } from '../../../../server/store/fleet/fleet.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const record = (deviceId: string): FleetRecord => ({
  deviceId,
  incarnation: 1,
  archiveNumber: 1,
  name: deviceId,
  plate: '',
  terminalNumber: '',
  deviceGroup: 1,
  groupName: 'G',
  chn: 1,
  timeZone: 'Asia/Taipei',
  installchs: '',
  wasSeen: true,
});
const deviceOf = (deviceId: string) => ({ deviceId, incarnation: 1, archiveNumber: 1 });
const position = (deviceId: string, speedKmh: number, isLive: boolean): PositionReport => ({
  kind: 'position',
  device: deviceOf(deviceId),
  edition: '2019',
  position: {
    deviceId,
    incarnation: 1,
    deviceTimeMs: wallMs(1_000),
    receivedAtMs: wallMs(1_000),
    latitude: 1,
    longitude: 2,
    altitudeM: 0,
    speedKmh,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 0,
    extra: {},
  },
  items: [],
  details: {},
  isLive,
});

function open() {
  const timers = new ManualTimers();
  /** Readings of the devices that were begun, in order: the test answers them when it wants. */
  const readings: ((ids: readonly string[]) => Promise<void>)[] = [];
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
    onlineHistory: {},
  } as unknown as Pick<Stores, 'fleet' | 'onlineHistory'>;
  const onFault = (error: Error): never => {
    throw error;
  };
  const registry = new DeviceRegistry(timers.now);
  const feed = new ReportFeed(onFault);
  const watch = new FleetWatch({ registry, stores, feed, now: timers.now, runAfter: timers.runAfter, onFault });
  const start = async (ids: readonly string[]): Promise<void> => {
    const started = watch.start();
    await readings.shift()?.(ids);
    await started;
  };
  return { timers, readings, feed, watch, start };
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
    watch.close();
  });

  it('shows positions as they happen, and none that are reported late', async () => {
    const { feed, watch, start } = open();
    await start(['A']);
    feed.tell(position('A', 50, true));
    feed.tell(position('A', 90, false));
    watch.board.drain();
    expect(watch.board.row('A')).toMatchObject({ speedKmh: 50, lat: 1, lng: 2 });
    expect([watch.board.timeZoneOf('A'), watch.board.timeZoneOf('B')]).toEqual(['Asia/Taipei', '']);
    watch.close();
    feed.tell(position('A', 70, true));
    expect(watch.board.drain()).toEqual([]);
  });

  it('reads the devices anew when a terminal signs in as one that it does not know', async () => {
    const { timers, readings, feed, watch, start } = open();
    await start(['A']);
    const signIn = (deviceId: string): void => {
      feed.tell({ kind: 'presence', device: deviceOf(deviceId), isOnline: true, atMs: timers.now() });
    };
    timers.advance(1);
    signIn('A');
    timers.advance(300);
    expect(readings).toHaveLength(0);
    expect(watch.board.drain()).toMatchObject([{ after: { id: 'A', seenAt: 1 } }]);
    signIn('B');
    timers.advance(300);
    await readings.shift()?.(['A', 'B']);
    expect(watch.board.knows('B')).toBe(true);
    watch.close();
  });
});
