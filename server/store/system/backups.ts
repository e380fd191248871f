// The only module that knows `backup`.
import { sql } from 'kysely';
import type { BackupCopyState, BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { type BackupContents, type StoredBackup, toBackup } from './backupRows.ts';

export interface NewBackup extends BackupContents {
  readonly file: string;
  readonly atMs: number;
  /** Username; '' for a scheduled backup. */
  readonly madeBy: string;
  readonly isManual: boolean;
  readonly isUploaded: boolean;
  readonly note: string;
  readonly productVersion: string;
  readonly engine: string;
  readonly sealedKey: string;
}

interface WholeArchive {
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  readonly schemaVersion: number;
}

interface EndedBackup {
  readonly state: 'done' | 'failed' | 'canceled';
  readonly fault: BackupFault;
  readonly detail: string;
  readonly atMs: number;
  /** The archive of a backup that is done. */
  readonly archive?: WholeArchive | undefined;
}

/** The contents of an archive that has been read to its end. */
export interface ReadContents extends Pick<BackupContents, 'history' | 'files'> {
  readonly rows: number;
}

export interface EndedTest {
  readonly state: 'passed' | 'failed';
  readonly fault: BackupFault;
  readonly detail: string;
  readonly atMs: number;
  readonly durationMs: number;
}

interface EndedCopy {
  /** `waiting`: it will be tried again. */
  readonly state: BackupCopyState;
  readonly fault: BackupFault;
}

export interface BackupStore {
  /** The newest first. */
  list(): Promise<readonly StoredBackup[]>;
  find(id: number): Promise<StoredBackup | undefined>;
  insert(backup: NewBackup): Promise<StoredBackup>;
  /** Ends a running backup. */
  end(id: number, ended: EndedBackup): Promise<void>;
  /** Stores the contents of an uploaded archive, once it has been read. */
  learn(id: number, contents: ReadContents): Promise<void>;
  /**
   * Starts the test of a backup that is done. False if it doesn't exist any more. The result of an earlier test stays until this one ends.
   */
  beginTest(id: number): Promise<boolean>;
  endTest(id: number, ended: EndedTest): Promise<void>;
  /** Drops a test without a result: the result of an earlier one stays valid. */
  dropTest(id: number): Promise<void>;
  /** Makes a backup that is done wait for its copy, unless it has one. False if nothing has changed. */
  orderCopy(id: number): Promise<boolean>;
  endCopy(id: number, ended: EndedCopy): Promise<void>;
  /** At a start: failed copies are tried again; without a bucket, failed and waiting copies are dropped. */
  reorderCopies(hasBucket: boolean): Promise<void>;
  /** Ends what was running when the gateway ended: backups have failed, and tests get the result of the earlier one. */
  interruptRunning(atMs: number): Promise<void>;
  remove(id: number): Promise<void>;
  /** Removes failed and canceled backups, except for the newest `kept`. */
  removeOldFailures(kept: number): Promise<void>;
}

const MAX_DETAIL = 500;
/** Result of the earlier test while another one runs: a failed test has left its fault, and each finished test its time. */
const EARLIER_TEST = sql<string>`case when tested_at_ms = 0 then 'none' when test_fault = '' then 'passed' else 'failed' end`;

export function createBackupStore(db: StoreDb): BackupStore {
  const change = (id: number) => db.updateTable('backup').where('id', '=', id);
  return {
    list: async () => {
      const rows = db.selectFrom('backup').selectAll().orderBy('created_at_ms', 'desc').orderBy('id', 'desc');
      return (await rows.execute()).map(toBackup);
    },
    find: async (id) => {
      const row = await db.selectFrom('backup').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toBackup(row);
    },
    insert: async (backup) => {
      const row = await db.insertInto('backup').values(rowOf(backup)).returningAll().executeTakeFirstOrThrow();
      return toBackup(row);
    },
    end: async (id, ended) => {
      await change(id).set(endOf(ended)).where('state', '=', 'running').execute();
    },
    learn: async (id, { rows, history, files }) => {
      await change(id)
        .set({ row_count: rows, history: JSON.stringify(history), files: JSON.stringify(files) })
        .execute();
    },
    beginTest: async (id) => {
      const begun = change(id).set({ test_state: 'running' }).where('state', '=', 'done');
      return (await begun.executeTakeFirst()).numUpdatedRows > 0n;
    },
    endTest: async (id, { state, fault, detail, atMs, durationMs }) => {
      const result = { test_state: state, test_fault: fault, tested_at_ms: atMs, test_ms: Math.round(durationMs) };
      await change(id)
        .set({ ...result, detail: detail.slice(0, MAX_DETAIL) })
        .execute();
    },
    dropTest: async (id) => {
      await change(id).set({ test_state: EARLIER_TEST }).where('test_state', '=', 'running').execute();
    },
    orderCopy: async (id) => {
      const ordered = change(id).set({ copy_state: 'waiting', copy_fault: '' }).where('state', '=', 'done');
      const result = await ordered.where('copy_state', 'in', ['none', 'failed']).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    endCopy: async (id, { state, fault }) => {
      await change(id).set({ copy_state: state, copy_fault: fault }).execute();
    },
    reorderCopies: async (hasBucket) => {
      const next = { copy_state: hasBucket ? 'waiting' : 'none', copy_fault: '' };
      const unfinished = hasBucket ? ['failed'] : ['failed', 'waiting'];
      await db.updateTable('backup').set(next).where('copy_state', 'in', unfinished).execute();
    },
    interruptRunning: async (atMs) => {
      const interrupted = { state: 'failed', fault: 'interrupted', ended_at_ms: atMs };
      await db.updateTable('backup').set(interrupted).where('state', '=', 'running').execute();
      await db.updateTable('backup').set({ test_state: EARLIER_TEST }).where('test_state', '=', 'running').execute();
    },
    remove: async (id) => {
      await db.deleteFrom('backup').where('id', '=', id).execute();
    },
    removeOldFailures: async (kept) => {
      const failures = db.selectFrom('backup').select('id').where('state', 'in', ['failed', 'canceled']);
      const newest = await failures.orderBy('created_at_ms', 'desc').orderBy('id', 'desc').limit(kept).execute();
      const old = db.deleteFrom('backup').where('state', 'in', ['failed', 'canceled']);
      const ids = newest.map(({ id }) => id);
      await (ids.length === 0 ? old : old.where('id', 'not in', ids)).execute();
    },
  };
}

function rowOf({ file, atMs, madeBy, note, productVersion, engine, sealedKey, ...contents }: NewBackup) {
  return {
    file,
    created_at_ms: atMs,
    made_by: madeBy,
    is_manual: contents.isManual ? 1 : 0,
    is_uploaded: contents.isUploaded ? 1 : 0,
    note,
    state: 'running',
    product_version: productVersion,
    engine,
    encryption: contents.encryption,
    sealed_key: sealedKey,
    history: JSON.stringify(contents.history),
    files: JSON.stringify(contents.files),
  };
}

function endOf({ state, fault, detail, atMs, archive }: EndedBackup) {
  const whole = archive && {
    bytes: archive.bytes,
    row_count: archive.rows,
    sha256: archive.sha256,
    schema_version: archive.schemaVersion,
  };
  return { state, fault, detail: detail.slice(0, MAX_DETAIL), ended_at_ms: atMs, ...whole };
}
