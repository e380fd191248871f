// One segment while it is written: the only owner of its two files.
import type { SegmentOrigin } from '../../shared/protocol/segmentOrigins.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import { appendAll, errorCode, type RecordingFile, type RecordingFiles } from './files.ts';
import { encodeEnd, encodeGroup, encodeSidecarHeader, type SegmentEnd, type SegmentGroup } from './segmentFormat.ts';
import { dayFolder, type SegmentName, segmentPath, sidecarPath } from './segmentPath.ts';

/** After the clock was set back, the name may be taken. A name at most this many milliseconds later is free. */
const MAX_NAME_TRIES = 100;

/** Makes the segment's file under the first free name from the wanted one on. */
export async function createSegmentWriter(
  files: RecordingFiles,
  wanted: SegmentName,
  origin?: SegmentOrigin,
): Promise<SegmentWriter> {
  for (let later = 0; ; later++) {
    const name = { ...wanted, startMs: wallMs(wanted.startMs + later) };
    try {
      return new SegmentWriter(files, name, await files.create(segmentPath(name)), origin);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || later >= MAX_NAME_TRIES) throw error;
    }
  }
}

export class SegmentWriter {
  readonly name: SegmentName;
  readonly #files: RecordingFiles;
  readonly #data: RecordingFile;
  #sidecar: RecordingFile | undefined;
  #records: Uint8Array[] = [];
  #isDirty = false;
  #isAbandoned = false;
  /** Syncs and the end run one after another. Writes of packets don't wait for them. */
  #work: Promise<void> = Promise.resolve();

  constructor(files: RecordingFiles, name: SegmentName, data: RecordingFile, origin?: SegmentOrigin) {
    this.#files = files;
    this.name = name;
    this.#data = data;
    this.#records.push(encodeSidecarHeader(name.startMs, origin));
  }

  append(buffers: readonly Uint8Array[]): Promise<void> {
    this.#isDirty = true;
    return appendAll(this.#data, buffers);
  }

  /** A group that is whole; its record goes into the sidecar at the next sync, never before the pictures are safe. */
  addGroup(group: SegmentGroup): void {
    this.#records.push(encodeGroup(group));
  }

  /** From now on a power cut costs nothing that was written before. */
  sync(): Promise<void> {
    return this.#inTurn(() => this.#sync());
  }

  /**
   * Writes the end and closes both files; after that the segment is whole and never changes. False where it was abandoned before:
   * it stays incomplete.
   */
  async finish(lastGroup: SegmentGroup, end: SegmentEnd): Promise<boolean> {
    this.#records.push(encodeGroup(lastGroup), encodeEnd(end));
    let isWhole = false;
    await this.#inTurn(async () => {
      await this.#sync();
      await this.#sidecar?.sync();
      await this.#data.close();
      await this.#sidecar?.close();
      isWhole = true;
    });
    return isWhole;
  }

  /**
   * Lets go of the files as they are. A sync under way ends first, and one that waits its turn has nothing to do any more: it would
   * find a closed file, which looks like a fault of the disk.
   */
  abandon(): Promise<void> {
    if (this.#isAbandoned) return this.#work;
    this.#isAbandoned = true;
    this.#work = this.#work.then(async () => {
      // The disk has already failed, so errors of closing add nothing.
      await Promise.allSettled([this.#data.close(), this.#sidecar?.close()]);
    });
    return this.#work;
  }

  /** Does nothing once the segment is abandoned. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.#isAbandoned ? undefined : run()));
    // The caller gets the failure. Later work would fail by itself.
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #sync(): Promise<void> {
    // Taken before the sync: groups added during it may have bytes that it doesn't cover.
    const records = this.#records;
    this.#records = [];
    if (this.#isDirty) {
      this.#isDirty = false;
      await this.#data.sync();
    }
    await this.#writeRecords(records);
  }

  async #writeRecords(records: readonly Uint8Array[]): Promise<void> {
    if (records.length === 0) return;
    if (this.#sidecar === undefined) {
      this.#sidecar = await this.#files.create(sidecarPath(this.name));
      await this.#files.syncFolder(dayFolder(this.name));
    }
    await appendAll(this.#sidecar, records);
  }
}
