// One viewer's channel in a playback session: reads ahead of the session's position and sends what is due. The session sets
// the pace: except for reading, everything happens in `pump`.
import { PacketFlag, setFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { CursorMode, CursorRead, PacketCursor } from './packetCursor.ts';
import { duePictures } from './pictureOrder.ts';
import type { RecordedPacket } from './recordedPacket.ts';

/** Where the packets go. It belongs to its socket. */
export interface FeedSink {
  send(packets: readonly Uint8Array<ArrayBuffer>[]): void;
  /** Nothing is recorded from the position until `untilMs`; null if nothing follows. */
  sendGap(untilMs: number | null): void;
  /** Bytes that the connection holds back. */
  queuedBytes(): number;
}

export interface FeedDeps {
  readonly sink: FeedSink;
  readonly openCursor: (atMs: number, mode: CursorMode) => PacketCursor;
  readonly wantsAudio: boolean;
  /** Packets were read, so a pump may send them. */
  readonly onRead: () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

/** The session's state at a pump. */
export interface FeedState {
  readonly positionMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

/** How far ahead of the position packets are sent, in real time: the page's cushion against jitter. */
export const LEAD_MS = 400;
/** How far ahead they are read. */
const READ_AHEAD_MS = 1_500;
/** Data read ahead for one viewer of a channel. Reading waits until some is sent. */
export const BUFFERED_BYTES_LIMIT: Limit = { name: 'playback.read-ahead-bytes.channel', max: 4 * 1024 * 1024 };
/**
 * Data of a recording that one connection has not taken: one large key frame on top of what the system buffers. The feed waits; when it is
 * 3 s behind, it continues at a later key frame.
 */
export const QUEUED_BYTES_LIMIT: Limit = { name: 'playback.queue-bytes.socket', max: 512 * 1024 };
/** A viewer further behind than this, in real time, continues at a later key frame. */
const MAX_BEHIND_MS = 3_000;
/** Intervals for reading again: at the tail of a segment in progress, and at an end after which nothing has come. */
const LOOK_AGAIN_MS = 250;
const LOOK_FOR_MORE_MS = 2_000;

interface Gap {
  readonly fromUs: number;
  readonly untilUs: number | undefined;
  isAnnounced: boolean;
}

export class ChannelFeed {
  readonly #deps: FeedDeps;
  #cursor: PacketCursor;
  #mode: CursorMode;
  #video: RecordedPacket[] = [];
  #sound: RecordedPacket[] = [];
  #bufferedBytes = 0;
  #gap: Gap | undefined;
  /** Latest of the current group's pictures that were sent; -Infinity before any. */
  #sentMaxUs = Number.NEGATIVE_INFINITY;
  #soundSentUs = Number.NEGATIVE_INFINITY;
  #isSoundBroken = true;
  #startMs: number;
  #isReading = false;
  #waitsForRoom = false;
  #waitsForKey = false;
  #videoOn = true;
  /** No read before this position (in real time, as the session counts it). */
  #idleUntilMs = Number.NEGATIVE_INFINITY;
  #isAtTail = false;
  #isDueComplete = false;
  #isClosed = false;

  constructor(deps: FeedDeps, positionMs: number, mode: CursorMode) {
    this.#deps = deps;
    this.#mode = mode;
    this.#startMs = positionMs;
    this.#cursor = deps.openCursor(positionMs, mode);
  }

  get mode(): CursorMode {
    return this.#mode;
  }

  /** Nothing follows, and the viewer was told. */
  get isFinished(): boolean {
    return this.#gap?.isAnnounced === true && this.#gap.untilUs === undefined && this.#video.length === 0;
  }

  /** Everything due at a paused position was sent. */
  get isSettled(): boolean {
    return this.#isDueComplete;
  }

  /**
   * Restarts at the key frame at or before the position. The result of a read under way is dropped, and the next read
   * begins only then, so that a viewer that keeps seeking has one read at a time.
   */
  restart(positionMs: number, mode: CursorMode): void {
    this.#reopen(this.#deps.openCursor(positionMs, mode), mode);
    this.#startMs = positionMs;
    this.#soundSentUs = Number.NEGATIVE_INFINITY;
    this.#waitsForKey = false;
  }

  /** Without video, only sound is sent. Turning it on restarts at the key frame at or before the position. */
  setVideo(on: boolean, positionMs: number): void {
    if (this.#videoOn === on) return;
    this.#videoOn = on;
    const soundSentUs = this.#soundSentUs;
    if (on) this.restart(positionMs, this.#mode);
    this.#soundSentUs = soundSentUs;
  }

  close(): void {
    this.#isClosed = true;
    this.#clear();
  }

  /** Sends what is due and reads on. */
  pump(state: FeedState, nowMs: number): void {
    if (this.#isClosed) return;
    const untilUs = (state.positionMs + (state.paused ? 0 : LEAD_MS * state.speed)) * 1000;
    this.#skipWhenBehind(state);
    this.#sendVideo(untilUs);
    this.#sendSound(state, untilUs);
    this.#announceGap(state.positionMs * 1000, untilUs);
    this.#readOn(state, nowMs);
  }

  #sendVideo(untilUs: number): void {
    const { count, isComplete } = duePictures(this.#video, untilUs, this.#sentMaxUs);
    const room = this.#roomFor(count);
    const mustWait = room < count;
    if (mustWait && !this.#waitsForRoom) this.#deps.onLimit?.(QUEUED_BYTES_LIMIT);
    this.#waitsForRoom = mustWait;
    const due = this.#video.splice(0, room);
    for (const packet of due) {
      this.#bufferedBytes -= packet.bytes.byteLength;
      this.#sentMaxUs = packet.isKey ? packet.timeUs : Math.max(this.#sentMaxUs, packet.timeUs);
    }
    if (due.length > 0 && this.#videoOn) this.#deps.sink.send(due.map(({ bytes }) => bytes));
    const isBehindGap = this.#gap !== undefined && this.#video.length === 0;
    this.#isDueComplete = room === count && (isComplete || isBehindGap || (this.#isAtTail && this.#video.length === 0));
  }

  /** How many of the due packets the connection can take now. */
  #roomFor(count: number): number {
    let bytes = this.#deps.sink.queuedBytes();
    let fitting = 0;
    while (fitting < count && bytes <= QUEUED_BYTES_LIMIT.max) {
      bytes += this.#video[fitting]?.bytes.byteLength ?? 0;
      fitting++;
    }
    return fitting;
  }

  /** Sound is sent only at normal speed, and never from before the position. */
  #sendSound({ positionMs, speed, paused }: FeedState, untilUs: number): void {
    if (paused) return;
    const isAudible = speed === 1 && this.#deps.wantsAudio && this.#deps.sink.queuedBytes() <= QUEUED_BYTES_LIMIT.max;
    const fromUs = Math.max(this.#startMs * 1000, this.#soundSentUs + 1);
    const due: Uint8Array<ArrayBuffer>[] = [];
    while (this.#sound[0] !== undefined && this.#sound[0].timeUs <= (isAudible ? untilUs : positionMs * 1000)) {
      const packet = this.#sound.shift();
      if (packet === undefined) break;
      this.#bufferedBytes -= packet.bytes.byteLength;
      if (packet.kind === 'format') {
        if (this.#deps.wantsAudio) due.push(packet.bytes);
      } else if (!isAudible) {
        this.#isSoundBroken = true;
      } else if (packet.timeUs >= fromUs) {
        due.push(this.#markedSound(packet));
      }
    }
    if (due.length > 0) this.#deps.sink.send(due);
  }

  #markedSound(packet: RecordedPacket): Uint8Array<ArrayBuffer> {
    if (this.#isSoundBroken) setFlag(packet.bytes, PacketFlag.Discontinuity);
    this.#isSoundBroken = false;
    this.#soundSentUs = packet.timeUs;
    return packet.bytes;
  }

  #announceGap(positionUs: number, untilUs: number): void {
    const gap = this.#gap;
    if (gap === undefined) return;
    const isBehindPictures =
      this.#video[0] === undefined || this.#video[0].timeUs >= (gap.untilUs ?? Number.POSITIVE_INFINITY);
    const isIn = positionUs >= gap.fromUs && (gap.untilUs === undefined || untilUs < gap.untilUs);
    if (isIn && isBehindPictures && !gap.isAnnounced) {
      gap.isAnnounced = true;
      this.#deps.sink.sendGap(gap.untilUs === undefined ? null : Math.floor(gap.untilUs / 1000));
    }
    if (gap.untilUs !== undefined && untilUs >= gap.untilUs) this.#gap = undefined;
  }

  /** A connection that was too slow for too long continues at the next key frame. */
  #skipWhenBehind({ positionMs, speed, paused }: FeedState): void {
    const next = this.#video[0];
    if (paused || next === undefined || this.#deps.sink.queuedBytes() > QUEUED_BYTES_LIMIT.max) return;
    const mostMs = MAX_BEHIND_MS * Math.max(1, speed);
    if (positionMs - Math.max(next.timeUs / 1000, this.#startMs) <= mostMs) return;
    this.#reopen(this.#deps.openCursor(positionMs, this.#mode), this.#mode);
    this.#startMs = positionMs;
    // Anything before the position would only delay the connection.
    this.#waitsForKey = true;
  }

  #reopen(cursor: PacketCursor, mode: CursorMode): void {
    this.#clear();
    this.#cursor = cursor;
    this.#mode = mode;
    this.#gap = undefined;
    this.#isAtTail = false;
    this.#isDueComplete = false;
    this.#isSoundBroken = true;
    this.#sentMaxUs = Number.NEGATIVE_INFINITY;
    this.#idleUntilMs = Number.NEGATIVE_INFINITY;
  }

  #clear(): void {
    this.#video = [];
    this.#sound = [];
    this.#bufferedBytes = 0;
  }

  #readOn({ positionMs, speed, paused }: FeedState, nowMs: number): void {
    if (this.#isReading || this.#bufferedBytes >= BUFFERED_BYTES_LIMIT.max || nowMs < this.#idleUntilMs) return;
    const aheadMs = paused ? 0 : READ_AHEAD_MS * Math.max(1, speed);
    const aheadUs = (positionMs + aheadMs) * 1000;
    if (paused ? this.#isDueComplete : (this.#video.at(-1)?.timeUs ?? Number.NEGATIVE_INFINITY) > aheadUs) return;
    if (this.#gap?.untilUs !== undefined && this.#gap.untilUs > aheadUs) return;
    this.#isReading = true;
    const cursor = this.#cursor;
    const isFirst = this.#sentMaxUs === Number.NEGATIVE_INFINITY && this.#video.length === 0;
    this.#read(cursor, isFirst).then(
      (read) => {
        this.#isReading = false;
        if (this.#isClosed) return;
        if (cursor === this.#cursor) this.#accept(read, nowMs);
        this.#deps.onRead();
      },
      (error: unknown) => {
        this.#isReading = false;
        if (cursor !== this.#cursor || this.#isClosed) return;
        this.#idleUntilMs = nowMs + LOOK_FOR_MORE_MS;
        this.#deps.onFault(new Error('a recording could not be read', { cause: error }));
      },
    );
  }

  async #read(cursor: PacketCursor, isFirst: boolean): Promise<CursorRead> {
    const read = await cursor.read();
    if (read.kind !== 'packets' || !isFirst || !this.#deps.wantsAudio) return read;
    const format = await cursor.readFormat();
    if (format !== undefined && cursor === this.#cursor && !this.#isClosed) this.#deps.sink.send([format]);
    return read;
  }

  #accept(read: CursorRead, nowMs: number): void {
    this.#isAtTail = read.kind === 'tail';
    switch (read.kind) {
      case 'packets':
        if (this.#gap?.untilUs === undefined) this.#gap = undefined;
        this.#take(read.packets);
        return;
      case 'gap':
        this.#note(read);
        if (read.untilUs === undefined) this.#idleUntilMs = nowMs + LOOK_FOR_MORE_MS;
        return;
      case 'tail':
        this.#idleUntilMs = nowMs + LOOK_AGAIN_MS;
        return;
    }
  }

  /** While nothing follows, the same end is found again and again; it is reported once. */
  #note({ fromUs, untilUs }: CursorRead & { readonly kind: 'gap' }): void {
    const isKnown = this.#gap !== undefined && this.#gap.untilUs === undefined && untilUs === undefined;
    if (!isKnown) this.#gap = { fromUs, untilUs, isAnnounced: false };
  }

  #take(packets: readonly RecordedPacket[]): void {
    const before = this.#bufferedBytes;
    for (const packet of packets) {
      if (packet.kind !== 'video') {
        this.#sound.push(packet);
      } else {
        if (this.#waitsForKey && !(packet.isKey && packet.timeUs >= this.#startMs * 1000)) continue;
        if (this.#waitsForKey) setFlag(packet.bytes, PacketFlag.Discontinuity);
        this.#waitsForKey = false;
        this.#video.push(packet);
      }
      this.#bufferedBytes += packet.bytes.byteLength;
    }
    const { max } = BUFFERED_BYTES_LIMIT;
    if (before < max && this.#bufferedBytes >= max) this.#deps.onLimit?.(BUFFERED_BYTES_LIMIT);
  }
}
