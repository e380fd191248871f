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
});
