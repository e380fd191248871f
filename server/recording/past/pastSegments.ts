// Segments of past time: video that a device recorded while the server did not, written while the recorder runs.
import type { SegmentOrigin } from '../../../shared/protocol/segmentOrigins.ts';
import type { Segment } from '../../store/recordings/segments.ts';
import { type OpenSegment, toSegment } from '../channelRecorder.ts';
import type { RecordingFiles } from '../files.ts';
import type { SegmentName } from '../segmentPath.ts';
import { Semaphore } from '../semaphore.ts';
import { type FinishedSegment, type PastChannel, type PastGroup, PastWriter } from './pastWriter.ts';

export interface PastSegmentsDeps {
  readonly files: RecordingFiles;
  /** The disk has its floor free. Fetched video can wait on the device, while what is recorded now would be lost. */
  readonly mayWrite: () => boolean;
  /** Resolves when everything on the disk is known: a segment that is torn, or not found yet, would be added again. */
  readonly inOrder: () => Promise<void>;
  /** Called when a segment is whole and on the disk. */
  readonly onClosed: (segment: Segment) => void;
  /** Called when a write failed. `name` is the segment that was left incomplete. */
  readonly onFailed: (error: unknown, name: SegmentName | undefined) => void;
  readonly onWritten: (bytes: number) => void;
}

/** Writes of one channel; only one writer has it at a time. */
export interface PastChannelWriter {
  /** False when the disk does not take the group; nothing more is taken then. Groups come in the order of time. */
  add(group: PastGroup): Promise<boolean>;
  /** Completes what was written, and lets the next writer have the channel. */
  close(): Promise<void>;
}

/** Syncs take long: they share one of the few threads for files. */
const SYNCS_AT_A_TIME = 1;
const ORIGIN: SegmentOrigin = 'fetched';

export class PastSegments {
  readonly #deps: PastSegmentsDeps;
  readonly #syncs = new Semaphore(SYNCS_AT_A_TIME);
  readonly #turns = new Map<string, Promise<void>>();
  readonly #writers = new Set<PastWriter>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(deps: PastSegmentsDeps) {
    this.#deps = deps;
  }

  /** Whether groups would be taken now. */
  get mayWrite(): boolean {
    return !this.#isClosed && this.#deps.mayWrite();
  }

  /** The segments that are not complete yet, as far as they can be read. */
  openSegments(): OpenSegment[] {
    return [...this.#writers].flatMap((writer) => writer.openSegments());
  }

  /** Waits until no other writer has the channel's past time: its recordings then stay unchanged until `close`. */
  async open(channel: PastChannel): Promise<PastChannelWriter> {
    const key = `${channel.archiveId}/${channel.channel}`;
    const before = this.#turns.get(key);
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#turns.set(key, left);
    await before;
    try {
      await this.#deps.inOrder();
    } catch (error) {
      leave();
      throw error;
    }
    const writer = this.#createWriter(channel);
    const close = async (): Promise<void> => {
      try {
        await this.#guarded(writer, () => writer.finish());
      } finally {
        this.#writers.delete(writer);
        if (this.#turns.get(key) === left) this.#turns.delete(key);
        leave();
      }
    };
    let closed: Promise<void> | undefined;
    return {
      add: (group) => this.#add(writer, group),
      close: () => {
        closed ??= this.#track(close());
        return closed;
      },
    };
  }

  /** Takes nothing more; waits for what is being closed, and leaves the rest for recovery. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#closing);
    await this.abandon();
  }

  /** Closes all files as they are, because the disk takes no more writes. */
  async abandon(): Promise<void> {
    await Promise.all([...this.#writers].map((writer) => this.#giveUp(writer, undefined)));
  }

  #createWriter(channel: PastChannel): PastWriter {
    const writer = new PastWriter(channel, {
      files: this.#deps.files,
      origin: ORIGIN,
      runSync: (job) => this.#syncs.run(job),
      onClosed: (finished) => this.#deps.onClosed(rowOf(finished)),
      onWritten: this.#deps.onWritten,
    });
    this.#writers.add(writer);
    return writer;
  }

  async #add(writer: PastWriter, group: PastGroup): Promise<boolean> {
    if (writer.isOver || !this.mayWrite) return false;
    return this.#guarded(writer, () => writer.add(group));
  }

  async #guarded(writer: PastWriter, run: () => Promise<void>): Promise<boolean> {
    if (writer.isOver) return false;
    try {
      await run();
      // A writer that ended meanwhile has not kept the group.
      return !writer.isOver;
    } catch (error) {
      await this.#giveUp(writer, error);
      return false;
    }
  }

  async #giveUp(writer: PastWriter, error: unknown): Promise<void> {
    if (writer.isOver) return;
    const name = await writer.abandon();
    if (error !== undefined || name !== undefined) this.#deps.onFailed(error, name);
  }

  #track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#closing.delete(tracked));
    this.#closing.add(tracked);
    return tracked;
  }
}

function rowOf({ name, groups, end }: FinishedSegment): Segment {
  const [first] = groups;
  if (first === undefined) throw new Error('a segment without groups');
  return { ...toSegment(name, first, end), origin: ORIGIN };
}
