// Positions are found the same way whether they are rows, in blocks, or some of each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import type { Engine } from '../../../../server/store/migrations/migration.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { keptIn, packAll } from './packedPositions.ts';

type Form = 'rows' | 'blocks' | 'some of each' | 'repaired blocks';
const FORMS: readonly Form[] = ['rows', 'blocks', 'some of each', 'repaired blocks'];
const ALWAYS = { fromMs: 0, toMs: 1_000_000 };

function reported(deviceId: string, incarnation: number, [atMs, number]: readonly [number, number]): Position {
  return {
    deviceId,
    incarnation,
    deviceTimeMs: wallMs(atMs),
    receivedAtMs: wallMs(atMs + number),
    latitude: 25 + number / 1e6,
    longitude: -121.5,
    altitudeM: -3,
    speedKmh: 40.5,
    headingDeg: 359,
    alarmBits: 0x8000_0001,
    statusBits: 3,
    extra: { 1: '0000000a', 48: '1f' },
    isLate: number % 2 === 1,
    mileageKm: 1,
    fuelLiters: number === 4 ? 7.25 : undefined,
    cabinCelsius: undefined,
    signal: 31,
  };
}

/** Times out of order, some of them twice and three times; the numbers tell them apart. */
const BUS1 = [10, 50, 30, 20, 40, 30, 30, 20, 60].map((atMs, at) => [atMs, at] as const);
const IN_ORDER = BUS1.toSorted(([left], [right]) => left - right);

describeOnBothEngines('the store of positions', (engine) => {
  describe.each(FORMS)('keeping %s', (form) => positionTests(engine, form));
});

function positionTests(engine: Engine, form: Form): void {
  let database: TestDatabase;
  let stores: Stores;
  let incarnation: number;
  const numbersOf = (positions: readonly Position[]): number[] =>
    positions.map(({ receivedAtMs, deviceTimeMs }) => receivedAtMs - deviceTimeMs);
  const expected = IN_ORDER.map(([, number]) => number);

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    ({ incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'BUS1', chn: 1 }));
    const other = await stores.devices.insert({ deviceId: 'BUS2', name: 'BUS2', chn: 1 });
    await stores.positions.append([reported('BUS2', other.incarnation, [25, 0])]);
    const all = BUS1.map((moment) => reported('BUS1', incarnation, moment));
    if (form === 'rows' || form === 'blocks') await stores.positions.append(all);
    else {
      await stores.positions.append(all.slice(0, 4));
      await packAll(stores);
      await stores.positions.append(all.slice(4));
    }
    if (form === 'blocks' || form === 'repaired blocks') await packAll(stores, 2);
  });
  afterAll(() => database.close());

  it('keeps them in that form, the newest of each device as a row', async () => {
    const kept = await keptIn(database.db);
    expect(kept.rows + kept.packed).toBe(BUS1.length + 1);
    const rows = { rows: BUS1.length + 1, blocks: 2, 'repaired blocks': 2, 'some of each': BUS1.length + 1 - 3 };
    expect(kept.rows).toBe(rows[form]);
  });

  it('gives all that was kept of each', async () => {
    const all = IN_ORDER.map((moment) => reported('BUS1', incarnation, moment));
    expect(await stores.positions.between('BUS1', ALWAYS, 100)).toEqual(all);
    expect(await stores.positions.latest('BUS1')).toEqual(all.at(-1));
    expect(await stores.positions.latest('BUS9')).toBeUndefined();
  });

  it('gives those of a range, half open, equal times in the order of their arrival', async () => {
    const between = async (fromMs: number, toMs: number, limit = 100) =>
      numbersOf(await stores.positions.between('BUS1', { fromMs, toMs }, limit));
    expect(await between(20, 30)).toEqual([3, 7]);
    expect(await between(30, 31)).toEqual([2, 5, 6]);
    expect(await between(20, 50, 4)).toEqual([3, 7, 2, 5]);
    expect(await between(31, 40)).toEqual([]);
    expect(await between(0, 100, 0)).toEqual([]);
  });

  it.each([1, 2, 3, 100])('scans them in batches of %i', async (batchSize) => {
    const batches: number[][] = [];
    for await (const batch of stores.positions.scan('BUS1', ALWAYS, batchSize)) batches.push(numbersOf(batch));
    expect(batches.flat()).toEqual(expected);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(batchSize);
    const byNumber: number[] = [];
    for await (const batch of stores.positions.scan({ incarnation }, { fromMs: 20, toMs: 51 }, batchSize))
      byNumber.push(...numbersOf(batch));
    expect(byNumber).toEqual(expected.slice(1, -1));
  });

  it.each([1, 2, 4])('turns pages of %i both ways', async (limit) => {
    const forward: number[] = [];
    let page = await stores.positions.page('BUS1', ALWAYS, { after: undefined, limit });
    while (page.length > 0) {
      forward.push(...numbersOf(page.map(({ position }) => position)));
      page = await stores.positions.page('BUS1', ALWAYS, { after: page.at(-1)?.place, limit });
    }
    expect(forward).toEqual(expected);
    const backward: number[] = [];
    page = await stores.positions.page('BUS1', ALWAYS, { before: undefined, limit });
    while (page.length > 0) {
      backward.unshift(...numbersOf(page.map(({ position }) => position)));
      page = await stores.positions.page('BUS1', ALWAYS, { before: page[0]?.place, limit });
    }
    expect(backward).toEqual(expected);
  });

  it('begins a page at a place where there is nothing', async () => {
    const page = await stores.positions.page('BUS1', ALWAYS, { after: { deviceTimeMs: 30, id: 0 }, limit: 2 });
    expect(numbersOf(page.map(({ position }) => position))).toEqual([2, 5]);
    const before = { deviceTimeMs: 30, id: Number.MAX_SAFE_INTEGER };
    const last = await stores.positions.page('BUS1', ALWAYS, { before, limit: 2 });
    expect(numbersOf(last.map(({ position }) => position))).toEqual([5, 6]);
  });

  it('gives columns of them', async () => {
    const parts: { readonly at: number[]; readonly late: number[]; readonly fuel: number[] }[] = [];
    const fields = ['latitude', 'isLate', 'fuelLiters', 'mileageKm'] as const;
    for await (const part of stores.positions.columns(incarnation, { fromMs: 11, toMs: 61 }, fields))
      parts.push({ at: [...part.latitude], late: [...part.isLate], fuel: [...part.fuelLiters] });
    expect(parts.flatMap(({ at }) => at)).toEqual(expected.slice(1).map((number) => 25 + number / 1e6));
    expect(parts.flatMap(({ late }) => late)).toEqual(expected.slice(1).map((number) => number % 2));
    expect(parts.flatMap(({ fuel }) => fuel).filter((value) => !Number.isNaN(value))).toEqual([7.25]);
    const line: number[] = [];
    for await (const { speedKmh, count } of stores.positions.columns(incarnation, ALWAYS, ['speedKmh'])) {
      expect(speedKmh).toHaveLength(count);
      line.push(...speedKmh);
    }
    expect(line).toEqual(BUS1.map(() => 40.5));
  });

  it('knows the last report of each device', async () => {
    const last = await stores.fleet.lastReports(100);
    expect(last.map(({ deviceId, deviceTimeMs }) => [deviceId, deviceTimeMs]).sort()).toEqual([
      ['BUS1', 60],
      ['BUS2', 25],
    ]);
  });

  it.each([
    [1, { fromMs: 0, toMs: 100 }, 60],
    [1, { fromMs: 0, toMs: 50 }, 40],
    [4, { fromMs: 0, toMs: 100 }, 30],
    [6, { fromMs: 0, toMs: 100 }, 30],
    [7, { fromMs: 0, toMs: 100 }, 20],
    [8, { fromMs: 10, toMs: 51 }, 10],
    [8, { fromMs: 11, toMs: 51 }, undefined],
    [10, { fromMs: 0, toMs: 100 }, undefined],
  ])('knows when the latest but %i - 1 was measured', async (count, range, expectedMs) => {
    expect(await stores.positions.timeOfLatest('BUS1', range, count)).toBe(expectedMs);
  });
}
