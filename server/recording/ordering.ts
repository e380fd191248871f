// Runs recovery while recording goes on: listing a large archive takes a while, and no camera waits for it. New recordings
// are left alone.
import type { Stores } from '../store/stores.ts';
import type { RecordingFiles } from './files.ts';
import { type RecoveryReport, recover } from './recovery.ts';
import { type SegmentName, segmentPath, sidecarPath } from './segmentPath.ts';

export interface OrderingDeps {
  readonly files: RecordingFiles;
  readonly stores: Pick<Stores, 'segments' | 'archives'>;
  readonly onDone: (found: RecoveryReport) => void;
  readonly onFailed: (error: unknown) => void;
}

export class Ordering {
  /** Recorders use this file system, which tells recovery which files are new. */
  readonly files: RecordingFiles;
  readonly #deps: OrderingDeps;
  readonly #madeSince = new Set<string>();
  /** Files of segments that are not whole yet. */
  readonly #unfinished = new Set<string>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(deps: OrderingDeps) {
    this.#deps = deps;
    this.files = { ...deps.files, create: (path) => this.#create(path) };
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** A segment is complete, or no longer written: from now on recovery treats its files like any other. */
  finished(name: SegmentName): void {
    this.#unfinished.delete(segmentPath(name));
    this.#unfinished.delete(sidecarPath(name));
  }

  /** No segment is being written. */
  allFinished(): void {
    this.#unfinished.clear();
  }

  /** Starts recovery, unless stopped. Waits for one that is still running. Files being written are left alone. */
  async begin(): Promise<void> {
    await this.#running;
    if (this.#isStopped) return;
    this.#madeSince.clear();
    for (const path of this.#unfinished) this.#madeSince.add(path);
    const running = this.#run().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
  }

  /** Resolves when none runs. Never rejects: what fails is told to `onFailed`. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Stops before the next channel; the next start does the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { files, stores, onDone, onFailed } = this.#deps;
    try {
      const archiveIds = await stores.archives.ids();
      const { segments } = stores;
      const context = { madeSince: this.#madeSince, isStopped: () => this.#isStopped };
      const found = await recover({ files, segments, archiveIds }, context);
      if (found !== 'stopped') onDone(found);
    } catch (error) {
      onFailed(error);
    }
  }

  async #create(path: string): ReturnType<RecordingFiles['create']> {
    const isNoted = this.isRunning && !this.#madeSince.has(path);
    const isOurs = !this.#unfinished.has(path);
    if (isNoted) this.#madeSince.add(path);
    if (isOurs) this.#unfinished.add(path);
    try {
      return await this.#deps.files.create(path);
    } catch (error) {
      // The file existed before, so it isn't ours.
      if (isNoted) this.#madeSince.delete(path);
      if (isOurs) this.#unfinished.delete(path);
      throw error;
    }
  }
}
