// Watches the recordings' folder (present, writable, free space) and reports changes.
import { type DiskState, mayRecord, stateOfError, stateOfSpace } from './diskState.ts';
import { appendAll, errorCode, type RecordingFiles, type Space } from './files.ts';
import { MARKER_NAME } from './segmentPath.ts';

export interface DiskDeps {
  readonly files: RecordingFiles;
  readonly floorBytes: number;
}

export type DiskListener = (state: DiskState, before: DiskState) => void;

const PROBE_NAME = '.probe';
const PROBE_BYTES = 64 * 1024;

export class Disk {
  readonly #deps: DiskDeps;
  readonly #listeners = new Set<DiskListener>();
  /** Initial value until the first check. */
  #state: DiskState = 'gone';
  #isTold = false;
  #space: Space = { freeBytes: 0, totalBytes: 0 };
  /** Something failed for an unknown reason: the next check writes a file to find out. */
  #isInDoubt = false;

  constructor(deps: DiskDeps) {
    this.#deps = deps;
  }

  get state(): DiskState {
    return this.#state;
  }

  get space(): Space {
    return this.#space;
  }

  /** Told of each change. Returns its own removal. */
  subscribe(listener: DiskListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports a failed write or read. One that fails for an unknown reason may be no fault of the disk, which is checked first. */
  fault(error: unknown): void {
    const state = stateOfError(error);
    if (state === 'failing' && mayRecord(this.#state)) this.#isInDoubt = true;
    else if (state !== undefined) this.#become(state);
  }

  /** Reports that the folder has lost its mark. */
  lost(): void {
    this.#become('gone');
  }

  /** Reports that an operation has not ended in the time that a working disk takes. */
  stalled(): void {
    this.#become('failing');
  }

  /** Reads the free space; keeps the last figures if the disk doesn't answer. */
  async measure(): Promise<void> {
    try {
      this.#space = await this.#deps.files.space();
    } catch (error) {
      this.fault(error);
    }
  }

  /** Checks again. While recording is paused, and after a failure for an unknown reason, it also writes a file, because the figures don't show a quota or a broken disk. */
  async check(): Promise<void> {
    try {
      await this.#requireMarker();
      if (!mayRecord(this.#state) || this.#isInDoubt) await this.#probe();
      this.#isInDoubt = false;
      this.#space = await this.#deps.files.space();
      this.#become(stateOfSpace(this.#space, this.#deps.floorBytes, this.#state));
    } catch (error) {
      const state = stateOfError(error);
      if (state !== undefined) this.#become(state);
    }
  }

  async #requireMarker(): Promise<void> {
    await (await this.#deps.files.open(MARKER_NAME, 'read')).close();
  }

  async #probe(): Promise<void> {
    const { files } = this.#deps;
    await files.remove(PROBE_NAME);
    const probe = await files.create(PROBE_NAME);
    try {
      await appendAll(probe, [new Uint8Array(PROBE_BYTES).fill(1)]);
      await probe.sync();
    } finally {
      await probe.close();
      await files.remove(PROBE_NAME);
    }
  }

  #become(state: DiskState): void {
    const before = this.#state;
    if (state === before && this.#isTold) return;
    this.#isTold = true;
    this.#state = state;
    for (const listener of this.#listeners) listener(state, before);
  }
}

/**
 * Marks the folder as that of recordings. If the mark is missing although the database has recordings, the folder is the
 * mount point of a disk that is gone: returns false and changes nothing.
 */
export async function claimFolder(files: RecordingFiles, hasRecordings: boolean): Promise<boolean> {
  try {
    await (await files.open(MARKER_NAME, 'read')).close();
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (hasRecordings) return false;
  await (await files.createRoot(MARKER_NAME)).close();
  return true;
}
