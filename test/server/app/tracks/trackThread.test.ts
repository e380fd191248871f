import { expect, it, onTestFinished } from 'vitest';
import { createTrackThread } from '../../../../server/app/tracks/trackThread.ts';
import { createYielder } from '../../../../server/http/devices/import/yielder.ts';
import type { DamagedBlock } from '../../../../server/store/fleet/blocks/damagedBlocks.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { createTrackReader } from '../../../../server/tracks/trackReader.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { DeviceClock } from '../../../../shared/protocol/tracks/deviceClock.ts';
import { aPosition } from '../../fleet/positions/aPosition.ts';
import { packAll } from '../../store/fleet/packedPositions.ts';
import { describeOnBothEngines, openForThreads } from '../../store/testDatabase.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 9, 1);

describeOnBothEngines('the thread of tracks', (engine) => {
  /** A vehicle that has driven for six hours of each of nine days, most of them packed. Its clock was set in between. */
  async function setUp() {
    const { location, database } = await openForThreads(engine);
    const stores = createStores(database.db, undefined, database.reading);
    const { incarnation } = await stores.devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 });
    for (let day = 0; day < 9; day++) {
      const times = Array.from({ length: 720 }, (_, at) => START + day * DAY_MS + at * 30_000);
      const driven = times.map((atMs, at) => ({
        ...aPosition(incarnation, atMs),
        deviceTimeMs: wallMs(atMs),
        latitude: 52 + Math.sin(at / 40) / 50,
        longitude: 13 + at / 5_000,
        speedKmh: at % 80,
      }));
      await stores.positions.append(driven);
    }
    await packAll(stores);
    const faults: Error[] = [];
    const damaged: DamagedBlock[] = [];
    const thread = createTrackThread({
      database: location,
      onDamagedBlock: (block) => void damaged.push(block),
      onFault: (error) => void faults.push(error),
    });
    onTestFinished(async () => {
      await thread.close();
      expect(faults).toEqual([]);
    });
    const clock = new DeviceClock([
      { deviceFromMs: START, offsetMs: 4_000 },
      { deviceFromMs: START + 4 * DAY_MS, offsetMs: -3_600_000 },
    ]);
    const query = { incarnation, clock, fromMs: START, toMs: START + 9 * DAY_MS };
    return { database, stores, thread, query, damaged };
  }

  it('answers as the main thread would', async () => {
    const { stores, thread, query } = await setUp();
    const own = createTrackReader(stores.positions, createYielder);
    const { signal } = new AbortController();
    const options = { tolerance: 0.001, most: 2_000 };
    const line = await thread.line(query, options, signal);
    expect(line).toEqual(await own.line(query, options, signal));
    expect(line.positions).toBe(9 * 720);
    expect(line.atMs.length).toBeGreaterThan(20);
    expect(line.clock).toHaveLength(2);
    const chart = await thread.chart(query, 100, signal);
    expect(chart).toEqual(await own.chart(query, 100, signal));
    expect(chart.speedMax.filter((speed) => speed === 79).length).toBeGreaterThan(9);
  });

  it('tells of a damaged block, and answers without it', async () => {
    const { database, thread, query, damaged } = await setUp();
    const blocks = database.db.selectFrom('position_block').select(['id', 'count']);
    const { id, count } = await blocks.orderBy('from_ms').limit(1).executeTakeFirstOrThrow();
    await database.db
      .updateTable('position_block')
      .set({ data: Buffer.of(1, 2) })
      .where('id', '=', id)
      .execute();
    const line = await thread.line(query, { tolerance: 0.001, most: 2_000 }, new AbortController().signal);
    expect(line.positions).toBe(9 * 720 - count);
    expect(damaged).toEqual([{ id, incarnation: query.incarnation, why: expect.any(String) }]);
  });

  it('reads no further for whoever leaves', async () => {
    const { thread, query } = await setUp();
    const gone = new AbortController();
    const answer = thread.line(query, { tolerance: 0, most: 20_000 }, gone.signal);
    gone.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    const after = await thread.line(query, { tolerance: 0, most: 20_000 }, new AbortController().signal);
    expect(after.positions).toBe(9 * 720);
  });
});
