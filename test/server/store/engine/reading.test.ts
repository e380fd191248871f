// The connection for reading beside the one that writes: a file's second thread, the server's second pool.
import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type StoreDb } from '../../../../server/store/engine/database.ts';
import { openSqliteClient, type SqliteClient } from '../../../../server/store/engine/sqlite/client.ts';
import { createLogLimit } from '../../../../server/store/engine/sqlite/logLimit.ts';
import { openReadingClient, RESTART_MS } from '../../../../server/store/engine/sqlite/readingClient.ts';
import { createSettingStore } from '../../../../server/store/system/settings.ts';
import { postgresAvailable } from '../../../support/postgres/postgres.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';

/** Counts for as long as it takes on this machine: some tenths of a second for a million. */
const count = (upTo: number) =>
  sql<{
    n: number;
  }>`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(upTo)}) select max(i) as n from n`;
const LONG = 3_000_000;

describeOnBothEngines('the connection for reading', (engine) => {
  let database: TestDatabase;
  let db: StoreDb;
  let reading: StoreDb;
  beforeAll(async () => {
    database = await openWithReading(engine);
    ({ db, reading } = database);
  });
  afterAll(() => database.close());

  it('is another one, and sees what was committed before it was asked', async () => {
    expect(reading).not.toBe(db);
    for (let at = 0; at < 50; at++) {
      await createSettingStore(db).set('n', String(at));
      expect(await createSettingStore(reading).get('n')).toBe(String(at));
    }
  });

  it('refuses statements that write, and says why', async () => {
    const READ_ONLY = /readonly database|read-only transaction/;
    await createSettingStore(db).set('kept', '1');
    await expect(createSettingStore(reading).set('kept', '2')).rejects.toThrow(READ_ONLY);
    await expect(reading.updateTable('setting').set({ value: '2' }).execute()).rejects.toThrow(READ_ONLY);
    await expect(reading.deleteFrom('setting').execute()).rejects.toThrow(READ_ONLY);
    await expect(sql`create table of_a_report (n integer)`.execute(reading)).rejects.toThrow(READ_ONLY);
    expect(await createSettingStore(db).get('kept')).toBe('1');
  });

  it('takes no transactions, which would hold one state of the database', async () => {
    const transaction = reading.transaction().execute((inside) => inside.selectFrom('setting').selectAll().execute());
    await expect(transaction).rejects.toThrow('takes single statements and no transactions');
    expect(await createSettingStore(reading).getAll()).toBeInstanceOf(Map);
  });

  it('holds up no write, however long it reads', async () => {
    const long = count(LONG).execute(reading);
    let isRead = false;
    const noted = long.then(() => {
      isRead = true;
    });
    for (let at = 0; at < 5; at++) await createSettingStore(db).set('during', String(at));
    expect(isRead).toBe(false);
    await noted;
    expect((await long).rows).toEqual([{ n: LONG }]);
  });
});

describe.skipIf(!postgresAvailable())("the server's pool for reading", () => {
  it('ends what takes more than a minute, and replaces a connection that breaks', async () => {
    const faults: Error[] = [];
    const onFault = (error: Error): void => void faults.push(error);
    const { db, reading, close } = await openWithReading('postgres', { onFault, onLost: onFault });
    onTestFinished(close);
    const limit = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(reading);
    expect(limit.rows).toEqual([{ statement_timeout: '1min' }]);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database()`.execute(db);
    await waitFor('the fault', () => faults.length > 0);
    expect(await createSettingStore(reading).getAll()).toEqual(new Map());
  });
});

describe('a database in memory', () => {
  it('has one connection for both, since a second one would see another database', async () => {
    const database = await openDatabase({ engine: 'sqlite', file: ':memory:' });
    onTestFinished(() => database.close());
    expect(database.reading).toBe(database.db);
  });
});

describe('the thread that reads a file', () => {
  let workers: Worker[];
  beforeEach(() => {
    workers = [];
    const note = (worker: Worker): void => void workers.push(worker);
    process.on('worker', note);
    onTestFinished(() => void process.off('worker', note));
  });

  async function open() {
    const faults: Error[] = [];
    const losses: Error[] = [];
    const database = await openWithReading('sqlite', {
      onFault: (error) => void faults.push(error),
      onLost: (error) => void losses.push(error),
    });
    onTestFinished(() => database.close());
    return { ...database, faults, losses };
  }

  it('answers a short statement before a longer one that was asked after it', async () => {
    const { reading } = await open();
    const order: string[] = [];
    await Promise.all([
      count(1)
        .execute(reading)
        .then(() => order.push('short')),
      count(LONG)
        .execute(reading)
        .then(() => order.push('long')),
    ]);
    expect(order).toEqual(['short', 'long']);
  });

  it('is started again when it ends by a fault; what it was asked is answered with an error', async () => {
    const { db, reading, faults, losses } = await open();
    await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
    const long = count(LONG).execute(reading);
    const waiting = createSettingStore(reading).getAll();
    const ended = expect(long).rejects.toThrow('the database thread ended');
    await workers[1]?.terminate();
    await ended;
    // It was not sent to the thread that ended.
    expect(await waiting).toEqual(new Map());
    expect([faults.map(({ message }) => message), losses]).toEqual([['the database thread ended'], []]);
    expect(workers).toHaveLength(3);
    await createSettingStore(db).set('a', '1');
    expect(await createSettingStore(reading).get('a')).toBe('1');
  });

  it('is started again once a second at most, and until then says so', async () => {
    const { reading } = await open();
    await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
    await workers[1]?.terminate();
    await createSettingStore(reading).getAll();
    await workers[2]?.terminate();
    await expect(createSettingStore(reading).getAll()).rejects.toThrow('is about to be started again');
    expect(workers).toHaveLength(3);
    await waitFor('the next start', () => createSettingStore(reading).getAll());
    expect(workers).toHaveLength(4);
  });

  it('is closed with what waits for it refused, and leaves the file whole', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const file = `${folder.path}/a.db`;
    const database = await openDatabase({ engine: 'sqlite', file });
    await createSettingStore(database.db).set('a', '1');
    const long = count(100_000).execute(database.reading);
    const waiting = expect(createSettingStore(database.reading).getAll()).rejects.toThrow('the database is closed');
    // Both have been sent on their way.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = database.close();
    expect(database.close()).toBe(closed);
    await Promise.all([long, waiting, closed]);
    await expect(createSettingStore(database.reading).getAll()).rejects.toThrow('destroyed');
    expect(() => statSync(`${file}-wal`)).toThrow('ENOENT');
  });

  it('does not hold up the close for long', async () => {
    const { reading, db, close } = await open();
    await createSettingStore(db).set('a', '1');
    const startedMs = performance.now();
    await count(1_000_000).execute(reading);
    const seconds = (performance.now() - startedMs) / 1_000;
    const long = count(Math.ceil(4_000_000 / seconds)).execute(reading);
    await new Promise((resolve) => setImmediate(resolve));
    let isRead = false;
    const noted = long.then(() => {
      isRead = true;
    });
    await close();
    expect(isRead).toBe(false);
    await noted;
  });
});

describe('the write-ahead log', () => {
  it('is cut between two reads when it is large, and not before', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const file = `${folder.path}/a.db`;
    const writer = await openSqliteClient({ file, access: 'write' });
    onTestFinished(() => writer.close());
    await plain(writer, 'create table t (a text)');
    const betweenStatements = createLogLimit(file, writer, { maxLogBytes: 1_000_000, checkIntervalMs: 0 });
    const reader = await openReadingClient({ file, onFault: () => undefined, betweenStatements });
    onTestFinished(() => reader.close());

    const sizes: number[] = [];
    for (let at = 0; at < 20; at++) {
      // All of them are fewer than the thousand pages at which the engine itself looks at the log.
      await plain(writer, 'insert into t (a) values (hex(zeroblob(75000)))');
      sizes.push(statSync(`${file}-wal`).size);
      await plain(reader, 'select count(*) from t');
    }
    expect(Math.max(...sizes)).toBeGreaterThan(1_000_000);
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    expect(await plain(reader, 'select count(*) as n from t')).toMatchObject({ rows: [{ n: 20 }] });
  });

  it('is left as it is while a transaction is open: its reads do not wait for its end', async () => {
    const folder = await createTempFolder();
    onTestFinished(() => folder.remove());
    const file = `${folder.path}/a.db`;
    const writer = await openSqliteClient({ file, access: 'write' });
    onTestFinished(() => writer.close());
    await plain(writer, 'create table t (a text)');
    const transaction = {};
    await writer.run(transaction, { kind: 'begin', sql: 'begin immediate', parameters: [] });
    const startedMs = performance.now();
    await createLogLimit(file, writer, { maxLogBytes: 0, checkIntervalMs: 0 })();
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    await writer.release(transaction);
  });
});

function plain(client: SqliteClient, text: string) {
  return client.run({}, { kind: 'plain', sql: text, parameters: [] });
}
