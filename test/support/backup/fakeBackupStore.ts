import type { BackupTest, StoredBackup } from '../../../server/store/system/backupRows.ts';
import type { BackupStore } from '../../../server/store/system/backups.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

const NO_TEST = { state: 'none', atMs: wallMs(0), durationMs: 0, fault: '' } as const;

/** The table of backups, without a database. */
export function fakeBackupStore(): BackupStore {
  const rows = new Map<number, StoredBackup>();
  let last = 0;
  const change = (id: number, changes: (row: StoredBackup) => Partial<StoredBackup>): void => {
    const row = rows.get(id);
    if (row !== undefined) rows.set(id, { ...row, ...changes(row) });
  };
  const list = (): StoredBackup[] =>
    [...rows.values()].toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.id - a.id);
  return {
    list: async () => list(),
    find: async (id) => rows.get(id),
    insert: async ({ atMs, ...backup }) => {
      const row: StoredBackup = {
        ...backup,
        ...{ id: ++last, createdAtMs: wallMs(atMs), endedAtMs: wallMs(0), state: 'running', fault: '', detail: '' },
        ...{ bytes: 0, rows: 0, sha256: '', schemaVersion: 0, test: NO_TEST, copyState: 'none', copyFault: '' },
      };
      rows.set(row.id, row);
      return row;
    },
    end: async (id, { atMs, archive, ...ended }) =>
      change(id, ({ state }) => (state === 'running' ? { ...ended, ...archive, endedAtMs: wallMs(atMs) } : {})),
    learn: async (id, contents) => change(id, () => contents),
    beginTest: async (id) => {
      if (rows.get(id)?.state !== 'done') return false;
      change(id, ({ test }) => ({ test: { ...test, state: 'running' } }));
      return true;
    },
    endTest: async (id, { detail, atMs, ...ended }) =>
      change(id, () => ({ detail, test: { ...ended, atMs: wallMs(atMs) } })),
    dropTest: async (id) => change(id, ({ test }) => ({ test: { ...test, state: earlier(test) } })),
    orderCopy: async (id) => {
      const row = rows.get(id);
      if (row?.state !== 'done' || row.copyState === 'done' || row.copyState === 'waiting') return false;
      change(id, () => ({ copyState: 'waiting', copyFault: '' }));
      return true;
    },
    endCopy: async (id, { state, fault }) => change(id, () => ({ copyState: state, copyFault: fault })),
    reorderCopies: async (hasBucket) => {
      for (const { id, copyState } of list()) {
        if (copyState === 'failed' || (copyState === 'waiting' && !hasBucket))
          change(id, () => ({ copyState: hasBucket ? 'waiting' : 'none', copyFault: '' }));
      }
    },
    interruptRunning: async (atMs) => {
      for (const { id, state, test } of list()) {
        if (test.state === 'running') change(id, () => ({ test: { ...test, state: earlier(test) } }));
        if (state === 'running') change(id, () => ({ state: 'failed', fault: 'interrupted', endedAtMs: wallMs(atMs) }));
      }
    },
    remove: async (id) => void rows.delete(id),
    removeOldFailures: async (kept) => {
      const failures = list().filter(({ state }) => state === 'failed' || state === 'canceled');
      for (const { id } of failures.slice(kept)) rows.delete(id);
    },
  };
}

function earlier({ atMs, fault }: BackupTest): BackupTest['state'] {
  if (atMs === 0) return 'none';
  return fault === '' ? 'passed' : 'failed';
}
