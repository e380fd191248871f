// The positions from which lines on maps are drawn: the same ones in the same order, however many blocks they are in.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';
import { keptIn, packAll } from './packedPositions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 20;
const STEP_MS = HOUR_MS / 4;
const COUNT = (DAYS * DAY_MS) / STEP_MS;
const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

describeOnBothEngines('the columns of a line', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let incarnation: number;
  /** Ordered as they were stored. */
  const moments: number[] = [];
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
    ({ incarnation } = await stores.devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 }));
    await append(Array.from({ length: COUNT }, (_, at) => at * STEP_MS));
    await packAll(stores);
    // These come late: before all blocks, between two of them, within one, and at the moments of others.
    await append([1, 2 * DAY_MS - 1, 5 * DAY_MS + 7, 5 * DAY_MS, 5 * DAY_MS, 9 * DAY_MS, 0]);
    await append(Array.from({ length: 5_000 }, (_, at) => DAYS * DAY_MS + at));
  });
  afterAll(() => database.close());

  async function append(timesMs: readonly number[]): Promise<void> {
    const positions = timesMs.map((atMs, at): Position => {
      const number = moments.length + at;
      const place = { latitude: 25, longitude: 121, altitudeM: number, speedKmh: number / 10, headingDeg: 0 };
      const moment = { deviceTimeMs: wallMs(atMs), receivedAtMs: wallMs(atMs) };
      return { deviceId: 'BUS', incarnation, ...moment, ...place, alarmBits: 0, statusBits: 4_294_967_295, extra: {} };
    });
    moments.push(...timesMs);
    await stores.positions.append(positions);
  }

  /** Numbers of the positions in a range; those of equal moments are in the order in which they came. */
  function expected({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): number[] {
    const numbers = moments.map((_, number) => number);
    const inside = numbers.filter((number) => (moments[number] ?? 0) >= fromMs && (moments[number] ?? 0) < toMs);
    return inside.sort((left, right) => (moments[left] ?? 0) - (moments[right] ?? 0) || left - right);
  }

  async function read(range: { readonly fromMs: number; readonly toMs: number }) {
    const numbers: number[] = [];
    const times: number[] = [];
    const fields = ['altitudeM', 'statusBits'] as const;
    for await (const { count, altitudeM, deviceTimeMs, statusBits } of stores.positions.columns(
      incarnation,
      range,
      fields,
    )) {
      expect([altitudeM.length, deviceTimeMs.length]).toEqual([count, count]);
      expect(count).toBeGreaterThan(0);
      expect(statusBits.every((bits) => bits === 4_294_967_295)).toBe(true);
      numbers.push(...altitudeM);
      times.push(...deviceTimeMs);
    }
    return { numbers, times };
  }

  it('are those of blocks and rows, in the order of time', async () => {
    expect((await keptIn(database.db)).blocks).toBeGreaterThan(16);
    const { numbers, times } = await read(ALWAYS);
    expect(numbers).toEqual(expected(ALWAYS));
    expect(times).toEqual(numbers.map((number) => moments[number]));
  });

  it.each([
    { fromMs: 0, toMs: 1 },
    { fromMs: 5 * DAY_MS, toMs: 5 * DAY_MS + 8 },
    { fromMs: 3 * DAY_MS + 1, toMs: 15 * DAY_MS },
    { fromMs: 19 * DAY_MS, toMs: DAYS * DAY_MS + 4_500 },
    { fromMs: DAYS * DAY_MS + 10, toMs: DAYS * DAY_MS + 11 },
    { fromMs: 30 * DAY_MS, toMs: 31 * DAY_MS },
  ])('are those from $fromMs to before $toMs', async (range) => {
    expect((await read(range)).numbers).toEqual(expected(range));
  });

  it('are the same when late ones were packed too', async () => {
    await packAll(stores);
    expect((await keptIn(database.db)).rows).toBe(1);
    expect((await read(ALWAYS)).numbers).toEqual(expected(ALWAYS));
  });
});
