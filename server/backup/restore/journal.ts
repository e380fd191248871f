// The plan of an exchange, which is on the disk before it is executed: the next start completes an interrupted one.
import { constants } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as Type from 'typebox/type';
import { Check } from 'typebox/value';
import { belowDataDir } from '../../installation.ts';
import { syncPath } from '../files/syncPath.ts';
import { RESTORE_FOLDER } from './restoreFolder.ts';

const Path = Type.String({ minLength: 1 });
const Optional = Type.Optional(Path);

const Journal = Type.Object({
  /** ID of this restore: names its folder and its schemas, and marks the new database. */
  id: Type.String({ pattern: '^[0-9a-f]{12}$' }),
  /** `forward`: to the new state; `done`: there, and the old one is still kept; `back`: to the old state. */
  phase: Type.Union([Type.Literal('forward'), Type.Literal('done'), Type.Literal('back')]),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  moves: Type.Array(Type.Object({ present: Path, staged: Optional, aside: Optional, leftBehind: Optional })),
});
export type Journal = Type.Static<typeof Journal>;

const NAME = 'journal.json';

/** Settles when the journal would survive a power cut. */
export async function writeJournal(dataDir: string, journal: Journal): Promise<void> {
  const path = journalPath(dataDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = temporaryOf(path);
  try {
    const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
    try {
      await handle.writeFile(JSON.stringify(journal));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncPath(dirname(path));
  await syncPath(dataDir);
}

/** Undefined: no exchange was begun. Throws for an unreadable journal, since its plan isn't known then. */
export async function readJournal(dataDir: string): Promise<Journal | undefined> {
  const path = journalPath(dataDir);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const journal: unknown = JSON.parse(text);
  if (!Check(Journal, journal)) throw new Error(`${path} is no journal of a restore`);
  return journal;
}

export async function removeJournal(dataDir: string): Promise<void> {
  const path = journalPath(dataDir);
  await rm(path, { force: true });
  // A crash while the journal was written has left this file.
  await rm(temporaryOf(path), { force: true });
  await syncPath(dirname(path));
}

function temporaryOf(path: string): string {
  return `${path}.part`;
}

function journalPath(dataDir: string): string {
  return belowDataDir(dataDir, `${RESTORE_FOLDER}/${NAME}`);
}
