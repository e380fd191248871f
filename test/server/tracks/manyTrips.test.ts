import { afterEach, expect, it } from 'vitest';
import { createStores } from '../../../server/store/stores.ts';
import type { TrackReplacement } from '../../../server/store/tracks/trackReplacing.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

const MINUTE_MS = 60_000;

describeOnBothEngines('a stretch of a track', (engine) => {
  let database: TestDatabase | undefined;
  afterEach(() => database?.close());

  it('is replaced with more stops than a statement has parameters', async () => {
    database = await openTestDatabase(engine);
    const stores = createStores(database.db);
    const { incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'BUS1', chn: 1 });
    const stops = Array.from({ length: 70_000 }, (_, at) => ({
      fromMs: at * MINUTE_MS,
      toMs: at * MINUTE_MS + 1,
      clockOffsetMs: 0,
      isOpen: false,
      latitude: 24,
      longitude: 120,
      idleMs: 0,
    }));
    const replacement = (kept: typeof stops): TrackReplacement => ({
      incarnation,
      fromMs: 0,
      toMs: undefined,
      gapsFromMs: 0,
      gapsToMs: undefined,
      fromDay: 0,
      toDay: undefined,
      kept: { fromMs: [], days: [] },
      rows: { trips: [], stops: kept, gaps: [], days: [], starts: [] },
      state: undefined,
    });
    await stores.tracks.replace(replacement(stops));
    await stores.tracks.replace(replacement(stops.slice(0, -3)));
    const left = await database.db
      .selectFrom('stop')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(left.count)).toBe(stops.length - 3);
  });

  it('is replaced together with those of other devices, each from where its own begins', async () => {
    database = await openTestDatabase(engine);
    const { devices, tracks } = createStores(database.db);
    const names = ['BUS1', 'BUS2', 'BUS3'];
    const added = await Promise.all(names.map((name) => devices.insert({ deviceId: name, name, chn: 1 })));
    const stop = (minute: number) => ({
      fromMs: minute * MINUTE_MS,
      toMs: minute * MINUTE_MS + 1,
      clockOffsetMs: 0,
      isOpen: false,
      latitude: 24,
      longitude: 120,
      idleMs: 0,
    });
    const replacement = (incarnation: number, fromMinute: number, minutes: readonly number[]): TrackReplacement => ({
      incarnation,
      fromMs: fromMinute * MINUTE_MS,
      toMs: undefined,
      gapsFromMs: fromMinute * MINUTE_MS,
      gapsToMs: undefined,
      fromDay: fromMinute === 0 ? 0 : 2,
      toDay: undefined,
      kept: { fromMs: [], days: [] },
      rows: { trips: [], stops: minutes.map(stop), gaps: [], days: [], starts: [dayStart(1), dayStart(2)] },
      state: `${fromMinute}`,
    });
    const replaceAll = (fromMinutes: readonly number[], minutes: readonly number[]) =>
      Promise.all(
        added.map(({ incarnation }, at) => tracks.replace(replacement(incarnation, fromMinutes[at] ?? 0, minutes))),
      );
    await replaceAll([0, 0, 0], [1, 2, 3, 4]);
    await devices.remove('BUS3');
    await replaceAll([2, 4, 0], [5]);
    const rows = await database.db.selectFrom('stop').select(['incarnation', 'from_ms']).orderBy('from_ms').execute();
    const minutesOf = (at: number) =>
      rows.filter(({ incarnation }) => incarnation === added[at]?.incarnation).map((row) => row.from_ms / MINUTE_MS);
    expect(minutesOf(0)).toEqual([1, 5]);
    expect(minutesOf(1)).toEqual([1, 2, 3, 5]);
    const states = await Promise.all(added.map(({ incarnation }) => tracks.load(incarnation)));
    expect(states.slice(0, 2).map(({ state }) => state)).toEqual(['2', '4']);
  });
});

function dayStart(localDay: number) {
  return { localDay, beginMs: localDay * MINUTE_MS, state: 'begun' };
}
