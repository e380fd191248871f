// Notes on disk which files of an attempt are complete: a terminal that was told so may overwrite its own files, and a kill must not lose
// these.
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The purpose of the attempt. Times are of the device's clock. */
interface AttemptNote {
  readonly item: number;
  readonly deviceFromMs: number;
  readonly deviceToMs: number;
}

export interface WholeFile {
  readonly path: string;
  readonly bytes: number;
}

export interface LeftFiles extends AttemptNote {
  readonly folder: string;
  /** Complete files in the order in which they came. */
  readonly whole: readonly WholeFile[];
  /** Whether other files had begun to come. */
  readonly isPartial: boolean;
}

const SUFFIX = '.whole';
const NOTE_MODE = 0o600;

export interface FileNote extends AttemptNote {
  readonly bytes: number;
  /** Number of the file in the order of the attempt. */
  readonly place: number;
}

/** Notes that a file is complete, or, without a note, that it is not. The note is on disk once this has resolved. */
export async function noteFile(path: string, note: FileNote | undefined): Promise<void> {
  if (note === undefined) {
    await rm(`${path}${SUFFIX}`, { force: true });
    return;
  }
  const handle = await open(`${path}${SUFFIX}`, 'w', NOTE_MODE);
  try {
    await handle.writeFile(JSON.stringify(note));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The files that a killed attempt has left in its folder; undefined where none is complete. */
export async function leftIn(folder: string): Promise<LeftFiles | undefined> {
  const names = await readdir(folder);
  const noted: { readonly path: string; readonly note: FileNote }[] = [];
  for (const name of names.filter((each) => each.endsWith(SUFFIX))) {
    const path = join(folder, name.slice(0, -SUFFIX.length));
    const note = noteOf(await readFile(join(folder, name), 'utf8'));
    const found = await stat(path).catch(() => undefined);
    // A file that was being continued has another length, and a file with a torn note was never acknowledged.
    if (note !== undefined && found?.size === note.bytes) noted.push({ path, note });
  }
  noted.sort((left, right) => left.note.place - right.note.place);
  const [first] = noted;
  if (first === undefined) return undefined;
  const { item, deviceFromMs, deviceToMs } = first.note;
  const files = names.filter((name) => !name.endsWith(SUFFIX)).length;
  const whole = noted.map(({ path, note }) => ({ path, bytes: note.bytes }));
  return { folder, item, deviceFromMs, deviceToMs, whole, isPartial: whole.length < files };
}

function noteOf(text: string): FileNote | undefined {
  try {
    const note = JSON.parse(text) as FileNote;
    const numbers = [note.item, note.deviceFromMs, note.deviceToMs, note.bytes, note.place];
    return numbers.every(Number.isFinite) ? note : undefined;
  } catch {
    return undefined;
  }
}
