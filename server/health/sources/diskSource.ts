// Disks by the folders on them, with a forecast from the last day.

import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { After } from '../../faults/timers.ts';
import { checkOf, type HealthSource } from '../healthSource.ts';
import { type DiskSample, forecastDays, withSample } from '../rules/diskForecast.ts';
import { judgeDisk } from '../rules/diskRule.ts';

export interface FolderSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Folders with the same number are on one disk. */
  readonly device: number;
}

export interface CheckedFolder {
  /** A name such as `recordings`. */
  readonly role: string;
  readonly path: string;
}

export interface DiskSourceDeps {
  readonly folders: readonly CheckedFolder[];
  /** Rejects where the folder or its disk is missing. */
  readonly spaceOf: (path: string) => Promise<FolderSpace>;
  readonly recordings: {
    readonly path: string;
    /** The space that the recorder keeps free. */
    readonly floorBytes: number;
    /** Bytes of all recordings together. */
    readonly bytes: () => Promise<number>;
  };
  readonly now: () => number;
  readonly runAfter: After;
  readonly onFault: OnFault;
}

const SAMPLE_EVERY_MS = 10 * 60_000;

export class DiskSource implements HealthSource {
  readonly kind = 'disks';
  readonly #deps: DiskSourceDeps;
  readonly #samples = new Map<string, readonly DiskSample[]>();
  readonly #sampling: Rounds;

  constructor(deps: DiskSourceDeps) {
    this.#deps = deps;
    const { runAfter, onFault } = deps;
    const failure = 'it could not be found out how the disks fill';
    this.#sampling = new Rounds({
      work: () => this.#sample(),
      failure,
      intervalMs: SAMPLE_EVERY_MS,
      delayMs: 0,
      runAfter,
      onFault,
    });
  }

  async read() {
    const recordings = await this.#spaceOf(this.#deps.recordings.path);
    return Promise.all(
      this.#deps.folders.map(async ({ role, path }) => {
        const space = await this.#spaceOf(path);
        const holdsRecordings = space !== null && space.device === recordings?.device;
        const recordingFloorBytes = holdsRecordings ? this.#deps.recordings.floorBytes : undefined;
        const forecast = forecastDays(this.#samples.get(role) ?? []);
        return checkOf('disks', role, judgeDisk(space === null ? null : { ...space, forecast, recordingFloorBytes }));
      }),
    );
  }

  close(): Promise<void> {
    return this.#sampling.close();
  }

  /**
   * Samples the disks. Recordings count as free room: they are deleted when something else needs it, and normally fill the disk
   * down to their floor.
   */
  async #sample(): Promise<void> {
    const { folders, recordings, now } = this.#deps;
    const recordingSpace = await this.#spaceOf(recordings.path);
    const recordedBytes = await recordings.bytes();
    for (const { role, path } of folders) {
      const space = await this.#spaceOf(path);
      if (space === null) continue;
      const givenUp = space.device === recordingSpace?.device ? recordedBytes - recordings.floorBytes : 0;
      const sample = { atMs: now(), roomBytes: Math.max(0, space.freeBytes + givenUp) };
      this.#samples.set(role, withSample(this.#samples.get(role) ?? [], sample));
    }
  }

  async #spaceOf(path: string): Promise<FolderSpace | null> {
    try {
      return await this.#deps.spaceOf(path);
    } catch {
      // The disk's problem is the answer.
      return null;
    }
  }
}
