// Packing and repairing: what is packed, when, and that nothing is lost or doubled by it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Device } from '../../../../server/store/devices/devices.ts';
import { MAX_BLOCK_POSITIONS } from '../../../../server/store/fleet/blocks/blockCodec.ts';
import type { TrackField } from '../../../../server/store/fleet/positionColumns.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';
import { keptIn, packAll } from './packedPositions.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_795_000_000_000;
const DATES = { beforeMs: NOW - 48 * HOUR_MS, nowMs: NOW, futureMs: NOW + 24 * HOUR_MS, fromMs: 0 };
const ON_LINE = ['speedKmh', 'headingDeg', 'altitudeM'] as const;
const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

describeOnBothEngines('the packing of positions', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let device: Device;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  beforeEach(async () => {
    for (const table of ['position', 'position_block', 'device', 'device_incarnation'] as const)
      await database.db.deleteFrom(table).execute();
    device = await stores.devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 });
  });
  afterAll(() => database.close());

  /** A position that is told apart by its number. */
  const position = (deviceTimeMs: number, number: number, receivedAtMs = deviceTimeMs): Position => ({
    deviceId: 'BUS',
    incarnation: device.incarnation,
    deviceTimeMs: wallMs(deviceTimeMs),
    receivedAtMs: wallMs(receivedAtMs),
    latitude: 25,
    longitude: 121,
    altitudeM: number,
    speedKmh: 0,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: 0,
    extra: {},
  });
  const numbers = async (): Promise<number[]> => {
    const all = await stores.positions.between('BUS', ALWAYS, 100_000);
    return all.map(({ altitudeM = Number.NaN }) => altitudeM);
  };
  const blocks = () =>
    database.db
      .selectFrom('position_block')
      .select(['count', 'from_ms', 'to_ms', 'received_to_ms', 'south', 'north', 'west', 'east'])
      .orderBy('from_ms')
      .execute();

  it('leaves what is young, and the newest', async () => {
    const agoHours = [60, 50, 49, 47, 1];
    await stores.positions.append(agoHours.map((ago, at) => position(NOW - ago * HOUR_MS, at)));
    expect(await stores.positionPacking.due(0, 10, DATES)).toEqual([device.incarnation]);
    const packed = await stores.positionPacking.packFirst(device.incarnation, 500, DATES);
    expect(packed).toMatchObject({ positions: 3, blocks: 1 });
    expect(await keptIn(database.db)).toEqual({ rows: 2, blocks: 1, packed: 3 });
    expect(await stores.positionPacking.due(0, 10, DATES)).toEqual([]);
    expect(await stores.positionPacking.packFirst(device.incarnation, 500, DATES)).toEqual({
      positions: 0,
      blocks: 0,
      nextFromMs: undefined,
    });
    expect(await numbers()).toEqual([0, 1, 2, 3, 4]);
  });

  it('leaves the only position of a device that was switched off years ago', async () => {
    await stores.positions.append([position(1_000, 0)]);
    expect(await stores.positionPacking.due(0, 10, DATES)).toEqual([]);
    expect(await packAll(stores)).toBe(0);
    expect(await stores.fleet.lastReports(NOW)).toHaveLength(1);
  });

  it('leaves the newest of a clock that is years behind, and packs what was dated later', async () => {
    const offset_ms = 1_024 * 7 * 24 * HOUR_MS;
    const inPast = NOW - offset_ms - HOUR_MS;
    await database.db.deleteFrom('device_clock').execute();
    await database.db
      .insertInto('device_clock')
      .values({ incarnation: device.incarnation, device_from_ms: inPast, offset_ms })
      .execute();
    await stores.positions.append([
      position(NOW - 60 * HOUR_MS, 0),
      position(NOW - 59 * HOUR_MS, 1),
      ...[0, 1, 2].map((at) => position(inPast + at * 1_000, 2 + at, NOW - HOUR_MS)),
    ]);
    expect(await packAll(stores, 500, DATES)).toBe(4);
    const rows = await database.db.selectFrom('position').select('altitude_m').execute();
    expect(rows).toEqual([{ altitude_m: 4 }]);
    const [last] = await stores.fleet.lastReports(NOW);
    expect(last?.deviceTimeMs).toBe(inPast + 2_000);
  });

  const WAYS = ['among rows', 'in one batch', 'in a block', 'live, and then late'];
  it.each(WAYS)('keeps one that comes again once: %s', async (where) => {
    const isLate = where !== 'live, and then late';
    const sent = [0, 1, 2, 3].map((at) => ({ ...position(NOW - 70 * HOUR_MS + at * 10_000, at), isLate }));
    const again = sent.slice(1).map((each) => ({ ...each, receivedAtMs: wallMs(NOW), isLate: true }));
    await stores.positions.append(where === 'in one batch' ? [...sent, ...again] : sent);
    if (where === 'in a block') await packAll(stores);
    if (where !== 'in one batch') await stores.positions.append(again);
    if (where === 'in a block') await packAll(stores);
    expect(await numbers()).toEqual([0, 1, 2, 3]);
    const received = await stores.positions.between('BUS', ALWAYS, 100);
    if (where !== 'in a block') expect(received.every(({ receivedAtMs }) => receivedAtMs < NOW)).toBe(true);
  });

  it('keeps what is no repeat: another place, or another alarm, of the same moment', async () => {
    const first = { ...position(NOW - 70 * HOUR_MS, 0), isLate: true };
    const others = [
      { ...first, latitude: 26, altitudeM: 1 },
      { ...first, alarmBits: 1, altitudeM: 2 },
    ];
    await stores.positions.append([first]);
    await stores.positions.append(others);
    expect(await numbers()).toEqual([0, 1, 2]);
    await stores.positions.append([position(NOW, 3)]);
    await packAll(stores);
    expect(await keptIn(database.db)).toMatchObject({ rows: 1, packed: 3 });
    expect(await numbers()).toEqual([0, 1, 2, 3]);
  });

  it('gives what cannot be as unknown, also where an earlier program kept it', async () => {
    const odd = { ...position(NOW - 70 * HOUR_MS, 0), altitudeM: 32_767, speedKmh: 6_553.5, headingDeg: 400 };
    const extra = { 1: 'ffffffff', 2: 'ffff', 48: 'ff' };
    await stores.positions.append([{ ...odd, extra, mileageKm: 429_496_729.5, fuelLiters: 6_553.5, signal: 255 }]);
    await stores.positions.append([position(NOW, 1)]);
    for (let round = 0; round < 2; round++) {
      const [first] = await stores.positions.between('BUS', ALWAYS, 1);
      const unknown = { altitudeM: undefined, speedKmh: undefined, headingDeg: undefined };
      const items = { mileageKm: undefined, fuelLiters: undefined, signal: undefined };
      expect(first).toMatchObject({ ...unknown, ...items, extra });
      // The fields of a line are read in another way than all fields.
      for (const fields of [ON_LINE, ['speedKmh', 'mileageKm', 'fuelLiters', 'signal'] as const]) {
        const values: (number | undefined)[] = [];
        for await (const part of stores.positions.columns<TrackField>(device.incarnation, ALWAYS, fields))
          values.push(...fields.map((field) => part[field][0]));
        expect(values.slice(0, fields.length)).toEqual(fields.map(() => Number.NaN));
      }
      await packAll(stores);
    }
    expect(await keptIn(database.db)).toMatchObject({ rows: 1, packed: 1 });
  });

  it('packs those of a clock that is ahead once they were received long ago', async () => {
    const [in2070, longAgo] = [Date.UTC(2070, 0, 1), NOW - 90 * HOUR_MS];
    await stores.positions.append([
      position(in2070, 0, longAgo),
      position(in2070 + 1, 1, longAgo),
      position(in2070 + 2, 2, NOW),
      position(in2070 + 3, 3, longAgo),
    ]);
    expect(await stores.positionPacking.due(0, 10, DATES)).toEqual([device.incarnation]);
    expect(await stores.positionPacking.packFirst(device.incarnation, 500, DATES)).toMatchObject({
      positions: 2,
      blocks: 1,
    });
    expect(await numbers()).toEqual([0, 1, 2, 3]);
  });

  it('fills blocks one after another, whatever the size of its parts', async () => {
    const fromMs = NOW - 200 * HOUR_MS;
    const all = Array.from({ length: MAX_BLOCK_POSITIONS + 300 }, (_, at) => position(fromMs + at * 1_000, at));
    await stores.positions.append(all);
    expect(await packAll(stores, 1_900)).toBe(all.length - 1);
    expect((await blocks()).map(({ count }) => count)).toEqual([MAX_BLOCK_POSITIONS, 299]);
    expect(await numbers()).toEqual(all.map((_, at) => at));
  });

  it('begins a block for each day and knows its bounds', async () => {
    const places = [0, 1, 30, 31, 900].map((atHour, at) => {
      const placed = position(NOW - 2_000 * HOUR_MS + atHour * HOUR_MS, at);
      return at === 0 ? { ...placed, latitude: 0, longitude: 0 } : { ...placed, latitude: 20 + at, longitude: -at };
    });
    await stores.positions.append(places);
    await packAll(stores);
    const [first, second] = await blocks();
    expect(first).toMatchObject({ count: 2, south: 21, north: 21, west: -1, east: -1 });
    expect(second).toMatchObject({ count: 2, south: 22, north: 23, west: -3, east: -2 });
    expect(second?.received_to_ms).toBe(second?.to_ms);
  });

  it('repairs a full block with late positions, which keeps all of them in order and a repeated one once', async () => {
    const fromMs = NOW - 200 * HOUR_MS;
    const all = Array.from({ length: MAX_BLOCK_POSITIONS + 2 }, (_, at) => position(fromMs + at * 1_000, 2 * at));
    await stores.positions.append(all);
    await packAll(stores, 2_000);
    const late = [100, 2_000, 4_000].map((at) => position(fromMs + at * 1_000 + 500, 2 * at + 1));
    await stores.positions.append(late);
    // The same position comes once more.
    await stores.positions.append(late.slice(0, 1));
    const expected = [...all, ...late].map(({ altitudeM = 0 }) => altitudeM).sort((a, b) => a - b);
    expect(await packAll(stores)).toBe(4);
    expect(await numbers()).toEqual(expected);
    expect((await blocks()).map(({ count }) => count)).toEqual([2_050, 2_049, 1]);
  });

  it('gives the same for any order of arrival, packed after any of them', async () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    const expected: { readonly atMs: number; readonly number: number }[] = [];
    for (let at = 0; at < 240; at++) {
      const atMs = NOW - 400 * HOUR_MS + random(60) * HOUR_MS;
      expected.push({ atMs, number: at });
      await stores.positions.append([position(atMs, at)]);
      if (random(6) === 0) await packAll(stores, 1 + random(9));
    }
    const inOrder = expected.toSorted((left, right) => left.atMs - right.atMs).map(({ number }) => number);
    expect(await numbers()).toEqual(inOrder);
    await packAll(stores);
    expect(await numbers()).toEqual(inOrder);
    const page = await stores.positions.page('BUS', ALWAYS, { before: undefined, limit: 50 });
    expect(page.map((each) => each.position.altitudeM)).toEqual(inOrder.slice(-50));
    const kept = await blocks();
    for (const [at, block] of kept.entries()) expect(block.from_ms).toBeGreaterThanOrEqual(kept[at - 1]?.to_ms ?? 0);
  });

  it('is not seen by those who read meanwhile', async () => {
    const count = 3_000;
    await stores.positions.append(Array.from({ length: count }, (_, at) => position(at * 20_000, at)));
    const expected = Array.from({ length: count }, (_, at) => at);
    let isPacked = false;
    const packing = packAll(stores, 40).then(() => {
      isPacked = true;
    });
    let reads = 0;
    while (!isPacked) {
      const found: number[] = [];
      for await (const batch of stores.positions.scan('BUS', ALWAYS, 500))
        found.push(...batch.map(({ altitudeM = Number.NaN }) => altitudeM));
      expect(found).toEqual(expected);
      const line: number[] = [];
      for await (const { altitudeM } of stores.positions.columns(device.incarnation, ALWAYS, ['altitudeM']))
        line.push(...altitudeM);
      expect(line).toEqual(expected);
      reads++;
    }
    await packing;
    expect(reads).toBeGreaterThan(0);
    expect((await keptIn(database.db)).rows).toBe(1);
  });

  it('brings nothing back that was deleted between its reading and its writing', async () => {
    await stores.positions.append([position(1, 0), position(2, 1), position(3, 2)]);
    const deleting = createStores(database.db, undefined, database.reading);
    const packing = deleting.positionPacking.packFirst(device.incarnation, 500, {
      nowMs: NOW,
      beforeMs: ALWAYS.toMs,
      futureMs: ALWAYS.toMs,
      fromMs: 0,
    });
    await database.db.deleteFrom('position').where('device_time_ms', '=', 1).execute();
    const { positions } = await packing;
    expect(await numbers()).toEqual([1, 2]);
    expect([0, 1]).toContain(positions);
  });
});
