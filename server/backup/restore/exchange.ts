// Replaces the present state with a restored one, in one step as far as a start after a crash can see: a journal says what was begun, and
// each step can be repeated. Nothing uses the database meanwhile.
import type { Journal } from './journal.ts';
import { type Direction, renamesLeft } from './renames.ts';

/** All paths are below DATA_DIR. */
export interface ExchangeDisk {
  exists(path: string): boolean;
  rename(from: string, to: string): Promise<void>;
  /** Syncs the folders of these paths: then their names are on the disk. */
  syncFoldersOf(paths: readonly string[]): Promise<void>;
  readJournal(): Promise<Journal | undefined>;
  writeJournal(journal: Journal): Promise<void>;
  removeJournal(): Promise<void>;
}

/** The database of a server, which is not a file here. Each change is one transaction, and does nothing when it is done already. */
export interface DatabaseSwitch {
  isNew(id: string): Promise<boolean>;
  toNew(id: string): Promise<void>;
  toOld(id: string): Promise<void>;
}

export interface ExchangeDeps {
  readonly disk: ExchangeDisk;
  readonly database: DatabaseSwitch;
}

/** State that a start finds: `none`: nothing was being exchanged. */
export type RecoveredState = 'none' | 'old' | 'new';

/** Afterwards the new state is in place, and the old one kept. If it throws, the old state is in place. */
export async function exchange(journal: Omit<Journal, 'phase'>, deps: ExchangeDeps): Promise<void> {
  const { disk, database } = deps;
  if ((await disk.readJournal()) !== undefined) throw new Error('a restore has not been brought to its end');
  // From the next step on, a missing staged file counts as moved into place.
  const missing = journal.moves.find(({ staged }) => staged !== undefined && !disk.exists(staged));
  if (missing !== undefined) throw new Error(`there is nothing to put in the place of ${missing.present}`);
  try {
    await disk.writeJournal({ ...journal, phase: 'forward' });
    await database.toNew(journal.id);
    await move(journal, 'forward', disk);
    await disk.writeJournal({ ...journal, phase: 'done' });
  } catch (error) {
    await giveUp(journal, deps);
    throw error;
  }
}

/**
 * Restores the old state after a failed exchange. A full disk may have been the cause, so nothing is written: as long as the journal says
 * `forward`, a crash on the way leads to the new state, or, once the database is the old one, to the old state.
 */
async function giveUp(journal: Omit<Journal, 'phase'>, deps: ExchangeDeps): Promise<void> {
  const { disk, database } = deps;
  switch ((await disk.readJournal())?.phase) {
    case undefined:
      return;
    case 'forward':
      await move(journal, 'back', disk);
      await database.toOld(journal.id);
      await disk.removeJournal();
      return;
    default:
      await takeBack(journal, deps);
  }
}

/** Brings the old state back. */
export async function takeBack(journal: Omit<Journal, 'phase'>, { disk, database }: ExchangeDeps): Promise<void> {
  await disk.writeJournal({ ...journal, phase: 'back' });
  await database.toOld(journal.id);
  await move(journal, 'back', disk);
  await disk.removeJournal();
}

/** Completes an exchange that a crash has interrupted. To be called before the database is opened. */
export async function recover(deps: ExchangeDeps): Promise<RecoveredState> {
  const { disk, database } = deps;
  const journal = await disk.readJournal();
  switch (journal?.phase) {
    case undefined:
      return 'none';
    case 'done':
      return 'new';
    case 'back':
      await takeBack(journal, deps);
      return 'old';
    case 'forward':
      break;
  }
  // The database is exchanged first: as long as it is the old one, no file has been moved.
  if (!(await database.isNew(journal.id))) {
    await disk.removeJournal();
    return 'old';
  }
  await move(journal, 'forward', disk);
  await disk.writeJournal({ ...journal, phase: 'done' });
  return 'new';
}

async function move({ moves }: Pick<Journal, 'moves'>, direction: Direction, disk: ExchangeDisk): Promise<void> {
  const left = renamesLeft(moves, direction, (path) => disk.exists(path));
  for (const { from, to } of left) await disk.rename(from, to);
  await disk.syncFoldersOf(moves.flatMap((each) => Object.values(each)));
}
