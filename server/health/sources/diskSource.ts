// Disks by the folders that lie on them, and what the last day says of the days to come.

import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { After } from '../../faults/timers.ts';
import { checkOf, type HealthSource } from '../healthSource.ts';
import { type DiskSample, forecastDays, withSample } from '../rules/diskForecast.ts';
import { judgeDisk } from '../rules/diskRule.ts';

export interface FolderSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Folders with the same lie on one disk. */
  readonly device: number;
}

export interface CheckedFolder {
  /** Such as `recordings`. */
  readonly role: string;
  readonly path: string;
}

export interface DiskSourceDeps {
  readonly folders: readonly CheckedFolder[];
  /** Rejects where the folder isn't there, or its disk. */
  readonly spaceOf: (path: string) => Promise<FolderSpace>;
  readonly recordings: {
    readonly path: string;
    /** What the recorder keeps free. */
    readonly floorBytes: number;
    /** Of all of them together. */
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

  /** Recordings count as room: they go when something else needs it, and fill the disk down to their floor as a rule. */
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
      // What is wrong with it is the answer.
      return null;
    }
  }
}
