// Watches the recordings' folder: whether it is there, takes writes and has room; and tells who wants to know.
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
  /** Until it was looked at. */
  #state: DiskState = 'gone';
  #isTold = false;
  #space: Space = { freeBytes: 0, totalBytes: 0 };

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

  /** A write or a read has failed. */
  fault(error: unknown): void {
    const state = stateOfError(error);
    if (state !== undefined) this.#become(state);
  }

  /** How much is free now; a disk that does not say keeps its last figures. */
  async measure(): Promise<void> {
    try {
      this.#space = await this.#deps.files.space();
    } catch (error) {
      this.fault(error);
    }
  }

  /** Looks anew. While recording pauses it also tries to write: figures alone do not show a quota or a broken disk. */
  async check(): Promise<void> {
    try {
      await this.#requireMarker();
      if (!mayRecord(this.#state)) await this.#probe();
      this.#space = await this.#deps.files.space();
      this.#become(stateOfSpace(this.#space, this.#deps.floorBytes, this.#state));
    } catch (error) {
      this.fault(error);
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
 * Marks the folder as that of recordings. A folder without the mark, while the database knows of recordings, is taken
 * for the mount point of a disk that is away: false, and nothing is touched.
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
