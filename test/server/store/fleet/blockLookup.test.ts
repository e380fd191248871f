// A look for a block of a device reads a few entries of the index, not all blocks that the device has.
import { CompiledQuery, type SelectQueryBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import { blockBehind, blockEnded, blockHeads, blockHolding } from '../../../../server/store/fleet/blockLookup.ts';
import type { Engine } from '../../../../server/store/migrations/migration.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const DAY_MS = 86_400_000;
const BLOCKS = 2_000;
/** What is left out of the index's entries on the way to the one. */
const MOST_PASSED = 3;

describeOnBothEngines('the lookup of blocks', (engine) => {
  let database: TestDatabase;
  let incarnation = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const stores = createStores(database.db);
    for (const deviceId of ['OTHER', 'BUS']) {
      ({ incarnation } = await stores.devices.insert({ deviceId, name: deviceId, chn: 1 }));
      const place = { south: 1, north: 1, west: 1, east: 1, count: 1, data: Buffer.from([1]) };
      const blocks = Array.from({ length: BLOCKS }, (_, day) => ({
        ...place,
        incarnation,
        from_ms: day * DAY_MS,
        to_ms: day * DAY_MS + DAY_MS / 2,
        received_to_ms: day * DAY_MS,
      }));
      await database.db.insertInto('position_block').values(blocks).execute();
    }
    await sql`analyze`.execute(database.db);
  });
  afterAll(() => database.close());

  const early = 10 * DAY_MS;
  const late = (BLOCKS - 10) * DAY_MS;
  const night = DAY_MS * 0.75;
  const heads = [false, true].flatMap((isBackward) =>
    [early, late].flatMap((fromMs) => [
      { isBackward, range: { fromMs, beforeMs: fromMs + DAY_MS } },
      // Between two blocks.
      { isBackward, range: { fromMs: fromMs + night, beforeMs: fromMs + night + 1_000 } },
    ]),
  );
  it.each(heads)('of a range, %o', async ({ isBackward, range }) => {
    const query = blockHeads(database.db, { incarnation, ...range, isBackward, except: [] }, ['id', 'from_ms']).limit(
      1,
    );
    const found = await query.executeTakeFirst();
    expect(found?.from_ms).toBe(range.fromMs % DAY_MS === 0 ? range.fromMs : undefined);
    await expectFewRead({ engine, db: database.db }, query);
  });

  it.each([early, late])('around a moment, %d', async (atMs) => {
    const holding = blockHolding(database.db, incarnation, atMs + 5);
    const ended = blockEnded(database.db, incarnation, atMs + night);
    const behind = blockBehind(database.db, incarnation, atMs + 5);
    expect((await holding.executeTakeFirst())?.from_ms).toBe(atMs);
    expect((await ended.executeTakeFirst())?.from_ms).toBe(atMs);
    expect((await behind.executeTakeFirst())?.from_ms).toBe(atMs + DAY_MS);
    for (const query of [holding, ended, behind]) await expectFewRead({ engine, db: database.db }, query);
  });
});

interface Asked {
  readonly engine: Engine;
  readonly db: StoreDb;
}

// biome-ignore lint/suspicious/noExplicitAny: any statement has a plan.
async function expectFewRead({ db, engine }: Asked, query: SelectQueryBuilder<any, any, any>): Promise<void> {
  if (engine === 'sqlite') {
    const { sql: text, parameters } = query.compile();
    const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explained);
    const details = rows.map(({ detail }) => detail);
    // Both sides of the range are looked up, and the order is the index's.
    expect(details).toEqual([
      expect.stringMatching(
        /^SEARCH position_block USING (COVERING )?INDEX position_block_by_device \(incarnation=\? AND /,
      ),
    ]);
    return;
  }
  const [plan] = await query.explain<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>('json', sql`analyze`);
  const nodes = nodesOf(plan?.['QUERY PLAN'][0]?.Plan);
  const scan = nodes.at(-1);
  expect(scan?.['Index Name']).toBe('position_block_by_device');
  const passed = (scan?.['Actual Rows'] ?? 0) + (scan?.['Rows Removed by Filter'] ?? 0);
  expect(passed).toBeLessThanOrEqual(MOST_PASSED);
}

interface PlanNode {
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode | undefined): readonly PlanNode[] {
  return node === undefined ? [] : [node, ...nodesOf(node.Plans?.[0])];
}
