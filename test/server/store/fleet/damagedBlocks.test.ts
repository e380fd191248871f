// A block whose bytes are not what was written: told of, passed over, and never touched.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { DamagedBlock } from '../../../../server/store/fleet/blocks/damagedBlocks.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { aPosition } from '../../fleet/positions/aPosition.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { keptIn, packAll } from './packedPositions.ts';

const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const DAY_MS = 86_400_000;
const DAMAGE = Buffer.from([1, 2, 3]);

describeOnBothEngines('a damaged block of positions', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let device: Device;
  let told: DamagedBlock[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db, undefined, database.reading, (block) => void told.push(block));
  });
  beforeEach(async () => {
    for (const table of ['position', 'position_block', 'device', 'device_incarnation'] as const)
      await database.db.deleteFrom(table).execute();
    device = await stores.devices.insert({ deviceId: 'BUS', name: 'BUS', chn: 1 });
    told = [];
  });
  afterAll(() => database.close());

  const add = (times: readonly number[]) =>
    stores.positions.append(
      times.map((atMs) => ({ ...aPosition(device.incarnation, atMs), deviceTimeMs: atMs as never })),
    );
  const times = async (): Promise<number[]> => {
    const found = await stores.positions.between('BUS', ALWAYS, 1_000);
    return found.map(({ deviceTimeMs }) => deviceTimeMs);
  };
  const blocks = () => database.db.selectFrom('position_block').selectAll().orderBy('from_ms').execute();
  /** Three days with two positions each, of which the second day's block is damaged, and a newest one. */
  const damageTheSecond = async (): Promise<number> => {
    await add([1, 2, 1 + 2 * DAY_MS, 2 + 2 * DAY_MS, 1 + 4 * DAY_MS, 2 + 4 * DAY_MS, 9 * DAY_MS]);
    await packAll(stores);
    const { id = 0 } = (await blocks())[1] ?? {};
    await database.db.updateTable('position_block').set({ data: DAMAGE }).where('id', '=', id).execute();
    return id;
  };

  it('is passed over by whoever reads, forward and backward, and told of', async () => {
    const id = await damageTheSecond();
    const rest = [1, 2, 1 + 4 * DAY_MS, 2 + 4 * DAY_MS, 9 * DAY_MS];
    expect(await times()).toEqual(rest);
    const why = expect.any(String);
    expect(told).toEqual([{ id, incarnation: device.incarnation, why }]);
    const before = await stores.positions.page('BUS', ALWAYS, { before: undefined, limit: 50 });
    expect(before.map(({ place }) => place.deviceTimeMs)).toEqual(rest);
    const columns: number[] = [];
    for await (const part of stores.positions.columns(device.incarnation, ALWAYS, ['speedKmh']))
      columns.push(...part.deviceTimeMs);
    expect(columns).toEqual(rest);
    expect(await stores.positions.timeOfLatest('BUS', ALWAYS, 5)).toBe(1);
    expect(new Set(told.map((each) => each.id))).toEqual(new Set([id]));
  });

  it('takes no late position and loses none: what belongs into it stays a row, what lies around is packed', async () => {
    const id = await damageTheSecond();
    const late = [3, 1 + 2 * DAY_MS, 3 + 2 * DAY_MS, 3 + 4 * DAY_MS];
    await add(late);
    expect(await packAll(stores)).toBe(3);
    expect([...((await blocks()).find((block) => block.id === id)?.data ?? [])]).toEqual([...DAMAGE]);
    expect(await keptIn(database.db)).toMatchObject({ rows: 2, packed: 9 });
    const expected = [1, 2, ...late, 1 + 4 * DAY_MS, 2 + 4 * DAY_MS, 9 * DAY_MS].sort((a, b) => a - b);
    expect(await times()).toEqual(expected);
    expect(told.every((each) => each.id === id)).toBe(true);
    expect(await packAll(stores)).toBe(0);
    expect(await times()).toEqual(expected);
  });

  it('is there again with all others once its bytes are', async () => {
    await add([1, 2, 5, 9 * DAY_MS]);
    await packAll(stores);
    const [whole] = await blocks();
    await database.db.updateTable('position_block').set({ data: DAMAGE }).execute();
    await add([3, 7]);
    await packAll(stores);
    expect(await times()).toEqual([3, 7, 9 * DAY_MS]);
    if (whole === undefined) throw new Error('nothing was packed');
    await database.db.updateTable('position_block').set({ data: whole.data }).where('id', '=', whole.id).execute();
    expect(await times()).toEqual([1, 2, 3, 5, 7, 9 * DAY_MS]);
    expect(await packAll(stores)).toBe(1);
    expect(await times()).toEqual([1, 2, 3, 5, 7, 9 * DAY_MS]);
  });
});
