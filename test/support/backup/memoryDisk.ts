// An exchange's disk and database in memory, which a crash can cut short after any act.
import type { DatabaseSwitch, ExchangeDisk } from '../../../server/backup/restore/exchange.ts';
import type { Journal } from '../../../server/backup/restore/journal.ts';

export class Crash extends Error {}

export interface MemoryState {
  /** Content by path. */
  readonly files: Map<string, string>;
  journal: Journal | undefined;
  /** Database that the database server uses; '' for the old one. */
  database: string;
  /** Without a database server, the database is among the files. */
  readonly isEmbedded: boolean;
}

/** Counts the acts that change something; the one after the last allowed crashes, and so do all that follow. */
export function memoryDisk(
  state: MemoryState,
  acts = Number.POSITIVE_INFINITY,
): { readonly disk: ExchangeDisk; readonly database: DatabaseSwitch; readonly used: () => number } {
  let used = 0;
  const act = (change: () => void): void => {
    if (used >= acts) throw new Crash('killed');
    used++;
    change();
  };
  const disk: ExchangeDisk = {
    exists: (path) => state.files.has(path),
    rename: async (from, to) =>
      act(() => {
        const content = state.files.get(from);
        if (content === undefined) throw new Error(`${from} is not there`);
        state.files.delete(from);
        state.files.set(to, content);
      }),
    syncFoldersOf: async () => act(() => undefined),
    readJournal: async () => state.journal,
    writeJournal: async (journal) =>
      act(() => {
        state.journal = journal;
      }),
    removeJournal: async () =>
      act(() => {
        state.journal = undefined;
      }),
  };
  if (state.isEmbedded) {
    const nothing = async (): Promise<void> => undefined;
    return { disk, database: { isNew: async () => true, toNew: nothing, toOld: nothing }, used: () => used };
  }
  const database: DatabaseSwitch = {
    isNew: async (id) => state.database === id,
    toNew: async (id) =>
      act(() => {
        state.database = id;
      }),
    toOld: async () =>
      act(() => {
        state.database = '';
      }),
  };
  return { disk, database, used: () => used };
}
