// The exchange of an installation: its files below DATA_DIR, and its database.
import { existsSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import type { OnFault } from '../../faults/onFault.ts';
import { belowDataDir, INSTALLATION_FILES } from '../../installation.ts';
import {
  dropSchemas,
  exchangeTables,
  exchangeTablesBack,
  isExchanged,
  restoreSchemas,
} from '../../store/backup/schemaExchange.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { ArchiveFault } from '../archive/faults.ts';
import { FILE_KINDS } from '../archive/manifest.ts';
import { placeOf } from '../files/archivedFiles.ts';
import {
  type DatabaseSwitch,
  type ExchangeDeps,
  exchange,
  type RecoveredState,
  recover,
  takeBack,
} from './exchange.ts';
import { exchangeDisk } from './realDisk.ts';
import type { Move } from './renames.ts';
import { RESTORE_FOLDER, RESTORE_ID, restoredDatabase, restorePath, stagedFiles } from './restoreFolder.ts';
import { isRestoredElsewhere } from './restoreLock.ts';

export interface Installation {
  readonly dataDir: string;
  readonly database: DatabaseLocation;
  readonly onFault: OnFault;
}

export interface RestoredExchange {
  /** Brings the old state back. */
  undo(): Promise<void>;
  /** The old state is no longer needed: a gateway has started on the new one. */
  finish(): Promise<void>;
}

/** Replaces the present state with what was built. No gateway is running. If it throws, the old state is in place. */
export async function exchangeRestored(id: string, installation: Installation): Promise<RestoredExchange> {
  const { dataDir, database } = installation;
  const moves = [...databaseMoves(id, database, dataDir), ...(await fileMoves(id, dataDir))];
  const deps = exchangeDeps(installation);
  const journal = { id, engine: database.engine, moves };
  await exchange(journal, deps);
  // Files that can't be removed now are removed at the next start.
  const discard = () => discardRestore(id, installation).catch(installation.onFault);
  return {
    undo: async () => {
      await takeBack(journal, deps);
      await discard();
    },
    finish: async () => {
      await deps.disk.removeJournal();
      await discard();
    },
  };
}

/**
 * To be called at a start, before the database is opened: completes an exchange that a crash has interrupted. Its remains are kept until
 * `clearRestores`, once a gateway runs. Throws while another process restores.
 */
export async function recoverRestore(installation: Installation): Promise<RecoveredState> {
  if (isRestoredElsewhere(installation.dataDir)) throw new Error('a backup is being restored by another process');
  return recover(exchangeDeps(installation));
}

/** Removes the remains of restores that crashes have left. Not to be called while a restore is running. */
export async function clearRestores(installation: Installation): Promise<void> {
  const folder = belowDataDir(installation.dataDir, RESTORE_FOLDER);
  if (!existsSync(folder)) return;
  const { disk } = exchangeDeps(installation);
  const journal = await disk.readJournal();
  if (journal !== undefined && journal.phase !== 'done') throw new Error('a restore has not been brought to its end');
  await disk.removeJournal();
  for (const name of await readdir(folder)) if (RESTORE_ID.test(name)) await discardRestore(name, installation);
}

/** Discards the built state, or the state that it has replaced. Throws while a journal needs it. */
export async function discardRestore(id: string, { dataDir, database, onFault }: Installation): Promise<void> {
  // This exchange could not be undone: the old database may be in this folder, and the next start has to find it.
  const journal = await exchangeDisk(dataDir).readJournal();
  if (journal?.id === id) throw new Error('a restore that has not been brought to its end is not discarded');
  if (database.engine === 'postgres') await dropSchemas(database.url, restoreSchemas(id), onFault);
  await rm(belowDataDir(dataDir, restorePath(id)), { recursive: true, force: true });
}

function exchangeDeps({ dataDir, database, onFault }: Installation): ExchangeDeps {
  return { disk: exchangeDisk(dataDir), database: databaseSwitch(database, onFault) };
}

function databaseSwitch(database: DatabaseLocation, onFault: OnFault): DatabaseSwitch {
  if (database.engine === 'postgres') {
    const { url } = database;
    return {
      isNew: (id) => isExchanged(url, id, onFault),
      toNew: (id) => exchangeTables(url, id, onFault),
      toOld: (id) => exchangeTablesBack(url, id, onFault),
    };
  }
  // The embedded database is one of the files.
  return { isNew: async () => true, toNew: async () => undefined, toOld: async () => undefined };
}

/** Paths of the embedded database. A log of the old one must not end up beside the new one. */
function databaseMoves(id: string, { engine }: DatabaseLocation, dataDir: string): Move[] {
  if (engine === 'postgres') return [];
  const staged = restoredDatabase(id);
  const log = belowDataDir(dataDir, `${staged}-wal`);
  if (existsSync(log) && statSync(log).size > 0) throw new Error('the new database has rows that are in its log only');
  const { database, writeAheadLog, sharedMemory } = INSTALLATION_FILES;
  const logs = [writeAheadLog, sharedMemory].map(({ path }) => ({
    ...{ present: path, leftBehind: restorePath(id, 'undone', path) },
    ...asideOf(id, path, dataDir),
  }));
  return [{ present: database.path, staged, ...asideOf(id, database.path, dataDir) }, ...logs];
}

async function fileMoves(id: string, dataDir: string): Promise<Move[]> {
  const moves: Move[] = [];
  for (const kind of FILE_KINDS) {
    const folder = `${stagedFiles(id)}/${kind}`;
    const names = existsSync(belowDataDir(dataDir, folder)) ? await readdir(belowDataDir(dataDir, folder)) : [];
    for (const name of names.sort()) {
      const present = placeOf({ kind, name });
      if (present === undefined) throw new ArchiveFault('damaged', `no file of an installation is a ${kind} ${name}`);
      moves.push({ present, staged: `${folder}/${name}`, ...asideOf(id, present, dataDir) });
    }
  }
  return moves;
}

function asideOf(id: string, path: string, dataDir: string): Pick<Move, 'aside'> {
  return existsSync(belowDataDir(dataDir, path)) ? { aside: restorePath(id, 'old', path) } : {};
}
