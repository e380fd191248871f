// How much the pictures and files of events may take. A new one makes room for itself: the oldest go that nobody holds, and
// their rows stay, so that an event says what is missing.
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { StoredFile } from '../../store/events/eventMediaRows.ts';
import type { EvidenceFiles, IncomingFile } from './evidenceFiles.ts';

export interface EvidenceStorageDeps {
  readonly files: Pick<EvidenceFiles, 'start' | 'create' | 'remove' | 'olderThan' | 'freeBytes'>;
  readonly store: Pick<
    EventMediaStore,
    'storedBytes' | 'oldestRemovable' | 'setState' | 'knownFiles' | 'failReceiving'
  >;
  /** Of all files together. */
  readonly maximumBytes: number;
  readonly now: () => number;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Files that are removed at a time, to make room. */
const PART = 100;
/** Left to the database and to the system, whatever the setting says. */
export const FREE_FLOOR_BYTES = 256 * 1024 * 1024;
/** Names that one statement asks for. */
const NAMES = 1_000;
/** Files being written at once, of all terminals. */
export const INCOMING_FILES_LIMIT: Limit = { name: 'events.incoming-files.all', max: 512 };

/** A place for a file, and the file. */
export interface ReservedFile extends IncomingFile {
  /** Takes the file's bytes into account; `discard` gives the place back. */
  finish(): Promise<StoredFile>;
}

export class EvidenceStorage {
  readonly #deps: EvidenceStorageDeps;
  /** Of stored files, and of those that are being written. */
  #usedBytes = 0;
  #incoming = 0;
  /** Rooms are made one after another: two would remove the same files. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: EvidenceStorageDeps) {
    this.#deps = deps;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  async start(): Promise<void> {
    const { files, store } = this.#deps;
    await files.start();
    await store.failReceiving();
    this.#usedBytes = await store.storedBytes();
  }

  /** Files that no row names: a crash came between the two. */
  async removeUnknown(startedAtMs: number): Promise<void> {
    const { files, store } = this.#deps;
    for await (const found of files.olderThan(startedAtMs)) {
      for (let at = 0; at < found.length; at += NAMES) {
        const part = found.slice(at, at + NAMES);
        const known = await store.knownFiles(part);
        await files.remove(part.filter((fileId) => !known.has(fileId)));
      }
    }
  }

  /** Undefined where there is no room, or the disk takes nothing: the terminal has to keep its copy. */
  async reserve(bytes: number): Promise<ReservedFile | undefined> {
    if (this.#incoming >= INCOMING_FILES_LIMIT.max) {
      this.#deps.onLimit(INCOMING_FILES_LIMIT);
      return undefined;
    }
    this.#incoming++;
    let hasRoom = false;
    try {
      hasRoom = await this.#makeRoom(bytes);
      if (hasRoom) return this.#reserved(await this.#deps.files.create(), bytes);
    } catch (cause) {
      this.#deps.onFault(faultOf('a file of an event could not be stored', cause));
    }
    if (hasRoom) this.#usedBytes -= bytes;
    this.#incoming--;
    return undefined;
  }

  /** Their rows are gone, or say that they are. */
  async remove(files: readonly { readonly fileId: string; readonly bytes: number }[]): Promise<void> {
    this.#usedBytes -= files.reduce((sum, { bytes }) => sum + bytes, 0);
    await this.#deps.files.remove(files.map(({ fileId }) => fileId));
  }

  #reserved(file: IncomingFile, bytes: number): ReservedFile {
    let isOpen = true;
    const leave = (): void => {
      if (isOpen) this.#incoming--;
      isOpen = false;
    };
    return {
      write: (offset, data) => file.write(offset, data),
      finish: async () => {
        const stored = await file.finish();
        if (isOpen) this.#usedBytes += stored.bytes - bytes;
        leave();
        return stored;
      },
      discard: async () => {
        if (isOpen) this.#usedBytes -= bytes;
        leave();
        await file.discard();
      },
    };
  }

  #makeRoom(bytes: number): Promise<boolean> {
    return this.#inTurn(async () => {
      const { files, maximumBytes } = this.#deps;
      for (;;) {
        const overBytes = this.#usedBytes + bytes - maximumBytes;
        const missingBytes = FREE_FLOOR_BYTES + bytes - (await files.freeBytes());
        const excessBytes = Math.max(overBytes, missingBytes);
        if (excessBytes <= 0) {
          this.#usedBytes += bytes;
          return true;
        }
        if (await this.#removeOldest(excessBytes)) continue;
        this.#deps.onFault(new Error('no room for files of events'));
        return false;
      }
    });
  }

  /** False when there is nothing to remove. */
  async #removeOldest(excessBytes: number): Promise<boolean> {
    const { store } = this.#deps;
    const oldest = takeBytes(await store.oldestRemovable(PART), excessBytes);
    if (oldest.length === 0) return false;
    // The row first: a file that nobody names is removed at the next start, one that is named must be there.
    await store.setState(
      oldest.map(({ id }) => id),
      'removed',
    );
    await this.remove(oldest.flatMap(({ file }) => file ?? []));
    return true;
  }

  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** As many from the start as are needed to have so many bytes. */
function takeBytes<File extends { readonly bytes: number }>(files: readonly File[], bytes: number): File[] {
  const taken: File[] = [];
  let sum = 0;
  for (const file of files) {
    if (sum >= bytes) break;
    taken.push(file);
    sum += file.bytes;
  }
  return taken;
}
