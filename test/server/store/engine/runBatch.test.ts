import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { Statement } from '../../../../server/store/engine/sqlite/messages.ts';
import { createBatchRunner } from '../../../../server/store/engine/sqlite/runBatch.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

const plain = (sql: string, ...parameters: unknown[]): Statement => ({ kind: 'plain', sql, parameters });
const insert = (text: string): Statement => plain('insert into t (a) values (?)', text);
const begin: Statement = { kind: 'begin', sql: 'begin immediate', parameters: [] };
const rollback: Statement = { kind: 'rollback', sql: 'rollback', parameters: [] };
const commit: Statement = { kind: 'commit', sql: 'commit', parameters: [] };

async function open(timeout = 50) {
  const folder = await createTempFolder();
  const database = new Database(`${folder.path}/a.db`, { timeout });
  database.pragma('journal_mode = WAL');
  database.exec('create table t (a text unique)');
  onTestFinished(async () => {
    database.close();
    await folder.remove();
  });
  const rows = (): unknown[] => database.prepare('select a from t order by a').pluck().all();
  return { path: `${folder.path}/a.db`, database, runner: createBatchRunner(database), rows };
}

it('says of every write of a batch whether it is there, also when the disk is full', async () => {
  const { database, runner, rows } = await open();
  database.pragma('max_page_count = 40');
  const big = (letter: string): Statement => insert(letter.repeat(40_000));
  const results = runner.run(['a', 'b', 'c', 'd', 'e', 'f'].map(big));
  expect(results.some(({ ok }) => !ok)).toBe(true);
  expect(results.filter(({ ok }) => ok)).toHaveLength(rows().length);
  expect(database.inTransaction).toBe(false);
});

it('keeps nothing of a transaction that the engine rolled back, however its session goes on', async () => {
  const { database, runner, rows } = await open();
  database.pragma('max_page_count = 40');
  runner.run([insert('first'), begin]);
  const inside = runner.run(['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => insert(letter.repeat(40_000))));
  expect(inside.some(({ ok }) => !ok)).toBe(true);
  expect(runner.run([insert('late'), commit]).map(({ ok }) => ok)).toEqual([false, false]);
  expect(runner.run([rollback]).map(({ ok }) => ok)).toEqual([true]);
  expect(rows()).toEqual(['first']);
  expect(runner.run([insert('after')]).map(({ ok }) => ok)).toEqual([true]);
});

it('does nothing of a batch while another program holds the file, and says so', async () => {
  const { path, runner, rows, database } = await open();
  const other = new Database(path);
  other.exec('begin immediate');
  const results = runner.run([insert('a'), insert('b')]);
  expect(results).toMatchObject([
    { ok: false, code: 'SQLITE_BUSY' },
    { ok: false, code: 'SQLITE_BUSY' },
  ]);
  other.exec('commit');
  other.close();
  expect(database.inTransaction).toBe(false);
  expect(runner.run([insert('a'), insert('b')]).map(({ ok }) => ok)).toEqual([true, true]);
  expect(rows()).toEqual(['a', 'b']);
});

it('keeps a transaction open from one batch to the next', async () => {
  const { database, runner, rows } = await open();
  expect(runner.run([insert('a'), insert('b'), begin]).every(({ ok }) => ok)).toBe(true);
  expect(database.inTransaction).toBe(true);
  runner.run([insert('c'), insert('c'), insert('d')]);
  expect(database.inTransaction).toBe(true);
  runner.run([commit]);
  expect(database.inTransaction).toBe(false);
  expect(rows()).toEqual(['a', 'b', 'c', 'd']);
});

it('runs what the engine refuses inside a transaction beside writes', async () => {
  const { runner } = await open();
  const results = runner.run([insert('a'), plain('vacuum'), insert('b')]);
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
});

it('gives rows, changes and new ids', async () => {
  const { runner } = await open();
  expect(runner.run([insert('a')])).toEqual([{ ok: true, rows: [], changes: 1, insertId: 1 }]);
  expect(runner.run([plain('select a from t')])).toMatchObject([{ ok: true, rows: [{ a: 'a' }] }]);
  expect(runner.run([plain('insert into t (a) values (?) returning a', 'b')])).toMatchObject([{ rows: [{ a: 'b' }] }]);
});

it('remembers a bounded number of statements', async () => {
  const { runner } = await open();
  const many = Array.from({ length: 1_000 }, (_, index) => plain(`select ${index} as n`));
  expect(runner.run(many).every(({ ok }) => ok)).toBe(true);
  expect(runner.run(many.slice(0, 1))).toMatchObject([{ ok: true, rows: [{ n: 0 }] }]);
});

it('moves the log into the file, and waits for nobody who reads it', async () => {
  const { path, database, runner } = await open(30_000);
  const checkpoint: Statement = { kind: 'checkpoint', sql: 'pragma wal_checkpoint(TRUNCATE)', parameters: [] };
  const other = new Database(path, { readonly: true });
  runner.run([insert('a')]);
  other.exec('begin');
  other.prepare('select * from t').all();
  runner.run([insert('b')]);
  const startedMs = performance.now();
  expect(runner.run([checkpoint])).toMatchObject([{ ok: true, rows: [{ busy: 1 }] }]);
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  expect(database.pragma('busy_timeout', { simple: true })).toBe(30_000);
  other.close();
  expect(runner.run([checkpoint])).toMatchObject([{ ok: true, rows: [{ busy: 0 }] }]);
  expect(statSync(`${path}-wal`).size).toBe(0);
});
