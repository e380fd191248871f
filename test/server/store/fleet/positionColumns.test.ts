import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TrackColumns, TrackField } from '../../../../server/store/fleet/positionColumns.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const COUNT = 1_700;

describeOnBothEngines('the columns of positions', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let incarnation: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const device = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1 });
    const other = await stores.devices.insert({ deviceId: 'BUS2', name: 'Bus', chn: 1 });
    incarnation = device.incarnation;
    const position = (atMs: number, index: number) => ({
      deviceId: 'BUS1',
      incarnation,
      deviceTimeMs: wallMs(atMs),
      receivedAtMs: wallMs(5),
      latitude: index,
      longitude: 2.5,
      altitudeM: 0,
      speedKmh: 0,
      headingDeg: 0,
      alarmBits: 4_294_967_295,
      statusBits: 3,
      extra: {},
      ...(index % 2 === 0 ? { fuelLiters: 40.5, isLate: true } : {}),
    });
    // Three of each moment, stored from the last to the first.
    const positions = Array.from({ length: COUNT }, (_, index) => position(Math.floor(index / 3), index)).reverse();
    await stores.positions.append([...positions, { ...position(1, 0), incarnation: other.incarnation }]);
  });
  afterAll(() => database.close());

  async function read<Field extends TrackField>(fromMs: number, toMs: number, fields: readonly Field[]) {
    const parts: TrackColumns<Field>[] = [];
    for await (const part of stores.positions.columns(incarnation, { fromMs, toMs }, fields)) parts.push(part);
    return parts;
  }

  it('are of one device, each position once, in the order of time', async () => {
    const parts = await read(0, 10_000, ['latitude']);
    expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(COUNT);
    const times = parts.flatMap(({ deviceTimeMs }) => [...deviceTimeMs]);
    expect(times).toEqual(Array.from({ length: COUNT }, (_, index) => Math.floor(index / 3)));
    const latitudes = parts.flatMap(({ latitude }) => [...latitude]).sort((left, right) => left - right);
    expect(latitudes).toEqual(Array.from({ length: COUNT }, (_, index) => index));
  });

  it('are those of a half-open span, NaN for what was not reported', async () => {
    const [part, ...more] = await read(1, 2, ['fuelLiters', 'isLate', 'alarmBits', 'statusBits', 'signal']);
    expect(more).toEqual([]);
    expect(part?.count).toBe(3);
    expect([...(part?.fuelLiters ?? [])].sort()).toEqual([40.5, Number.NaN, Number.NaN].sort());
    expect([...(part?.isLate ?? [])].sort()).toEqual([0, 0, 1]);
    expect([...(part?.alarmBits ?? [])]).toEqual(Array(3).fill(4_294_967_295));
    expect([...(part?.signal ?? [])]).toEqual(Array(3).fill(Number.NaN));
    expect(await read(5_000, 6_000, ['latitude'])).toEqual([]);
  });
});
