// What the database keeps of the gateways that run on it, and says of itself.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { migrations } from '../../../../server/store/migrations/list.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { createDatabaseFactsStore } from '../../../../server/store/system/databaseFacts.ts';
import { createGatewayStore, MAX_GATEWAYS } from '../../../../server/store/system/gateways.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

describeOnBothEngines('what a database says of its installation', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.deleteFrom('gateway').execute();
    await database.db.deleteFrom('product_version').execute();
  });

  describe('gateways', () => {
    const gateway = (id: string, seenAtMs: number) => ({
      id,
      host: `host of ${id}`,
      version: '1.2.3',
      startedAtMs: wallMs(5),
      seenAtMs: wallMs(seenAtMs),
    });
    const ids = async () => (await stores.gateways.list()).map(({ id }) => id);

    it('are listed with their last sign of life, the newest first', async () => {
      for (const [id, at] of [['a', 10] as const, ['b', 20] as const, ['a', 30] as const]) {
        await stores.gateways.seen(gateway(id, at));
      }
      expect(await stores.gateways.list()).toEqual([gateway('a', 30), gateway('b', 20)]);
    });

    it('go when they have ended, and when they have been silent', async () => {
      for (const [id, at] of [['a', 10] as const, ['b', 20] as const, ['c', 30] as const]) {
        await stores.gateways.seen(gateway(id, at));
      }
      await stores.gateways.ended('b');
      expect(await ids()).toEqual(['c', 'a']);
      await stores.gateways.removeOld(10);
      expect(await ids()).toEqual(['c', 'a']);
      await stores.gateways.removeOld(11);
      expect(await ids()).toEqual(['c']);
      // One whose clock is far behind is removed by the others, and comes back with its next sign.
      await stores.gateways.seen(gateway('a', 10));
      expect(await ids()).toEqual(['c', 'a']);
    });

    it('are bounded: of a thousand starts the newest are kept', async () => {
      expect(MAX_GATEWAYS).toBe(100);
      const few = createGatewayStore(database.db, 3);
      for (let at = 1; at <= 5; at++) await few.seen(gateway(`g${at}`, at));
      await few.removeOld(0);
      expect(await ids()).toEqual(['g5', 'g4', 'g3']);
    });
  });

  describe('versions of the product', () => {
    it('are kept with their first time: the one before is the last that was new before it', async () => {
      const { productVersions } = stores;
      expect(await productVersions.before('1.0.0')).toBeUndefined();
      await productVersions.note('1.0.0', wallMs(1));
      expect(await productVersions.before('1.0.0')).toBeUndefined();
      await productVersions.note('1.1.0', wallMs(2));
      await productVersions.note('1.2.0', wallMs(3));
      expect(await productVersions.before('1.2.0')).toBe('1.1.0');
      // Back to an earlier one, and on again.
      await productVersions.note('1.1.0', wallMs(4));
      expect(await productVersions.before('1.1.0')).toBe('1.0.0');
      await productVersions.note('1.2.0', wallMs(5));
      expect(await productVersions.before('1.2.0')).toBe('1.1.0');
    });

    it('are noted once, however many gateways start at once', async () => {
      await Promise.all([1, 2, 3].map((at) => stores.productVersions.note('2.0.0', wallMs(at))));
      expect(await database.db.selectFrom('product_version').select('version').execute()).toHaveLength(1);
    });
  });

  it('are its engine, its version and its size, and the steps of its schema', async () => {
    const facts = await stores.databaseFacts.read();
    expect(facts.engine).toBe(engine);
    expect(facts.version).toMatch(engine === 'sqlite' ? /^3\.\d+\.\d+$/ : /^\d+/);
    // Empty tables and their indexes take some.
    expect(facts.bytes).toBeGreaterThan(100_000);
    const steps = await stores.databaseFacts.schemaSteps();
    expect(steps.map(({ version, name }) => ({ version, name }))).toEqual(
      migrations.map(({ version, name }) => ({ version, name })),
    );
    expect(steps.every(({ appliedAtMs }) => appliedAtMs > 1_700_000_000_000)).toBe(true);
  });
});

it('has the write-ahead log in the size of an embedded database', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'a.db');
  // A new one, whose schema is in the log alone.
  const database = await openDatabase({ engine: 'sqlite', file });
  onTestFinished(() => database.close());
  const sizeOf = (path: string): number => statSync(path).size;
  const { bytes } = await createDatabaseFactsStore(database.reading).read();
  const logBytes = sizeOf(`${file}-wal`);
  expect(logBytes).toBeGreaterThan(0);
  // Pages that are in the log alone are counted as part of the database too.
  expect(bytes).toBeGreaterThanOrEqual(sizeOf(file) + logBytes);
  expect(bytes).toBeGreaterThan(100_000 + logBytes);
});
