// One playback of a simulated terminal's recordings: past pictures and sound over a connection of its own, at the pace and from the
// place that were ordered.
import type { Socket } from 'node:net';
import { DataType } from '../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../server/device/jt1078/codec/payloadTypes.ts';
import { openSocket } from '../../server/faults/sockets.ts';
import { runAfter } from '../../server/faults/timers.ts';
import { FRAME_MS, frameAt } from '../clip/clipFormat.ts';
import type { Clip } from '../clip/loadClip.ts';
import { toneChunk } from '../clip/tone.ts';
import { MediaFraming, type OutgoingFrame } from '../mediaFraming.ts';
import { dataTypeOf } from '../mediaSender.ts';
import type { TerminalQuirks } from '../quirks.ts';
import { reportFault } from '../reportFault.ts';
import type { CardFile } from './cardContents.ts';

export interface CardPlayerOptions {
  readonly target: { readonly host: string; readonly port: number };
  readonly sim: string;
  readonly channel: number;
  readonly clip: Clip;
  /** Oldest first. */
  readonly files: readonly CardFile[];
  readonly startMs: number;
  readonly endMs: number;
  /** How far time stamps are ahead of the moments that they belong to. */
  readonly stampsAheadMs: number;
  readonly quirks: TerminalQuirks;
  readonly onClose: () => void;
}

/** Above this speed only key frames are sent, as terminals do. */
const MAX_FULL_SPEED = 4;
/** How far a terminal reads ahead of what the network takes. */
const MAX_UNSENT_BYTES = 256 * 1024;
const BUSY_RETRY_MS = 20;

/** Owns its socket and its timer until `close`. */
export class CardPlayer {
  readonly #options: CardPlayerOptions;
  readonly #socket: Socket;
  readonly #framing: MediaFraming;
  readonly #startedMs = Date.now();
  #sentFrames = 0;
  #cancelNext: (() => void) | undefined;
  /** Number of the next frame since the epoch. */
  #nextFrame: number;
  #speed = 1;
  #isPaused = false;
  /** The frame that was due at a moment; the times of later frames follow from it. */
  #anchor = { frame: 0, wallMs: 0 };

  constructor(options: CardPlayerOptions) {
    this.#options = options;
    this.#framing = new MediaFraming(options.sim, options.channel);
    this.#nextFrame = this.#keyFrameBefore(options.startMs);
    this.#socket = openSocket({ ...options.target, noDelay: true }, reportFault);
    this.#socket.on('connect', () => this.#go());
    this.#socket.on('close', () => {
      this.#cancelNext?.();
      options.onClose();
    });
  }

  play(): void {
    this.#isPaused = false;
    this.#speed = 1;
    this.#go();
  }

  pause(): void {
    this.#isPaused = true;
    this.#cancelNext?.();
  }

  fastForward(speed: number): void {
    this.#isPaused = false;
    this.#speed = speed;
    this.#go();
  }

  /** Continues from there at the speed that it had. */
  seek(positionMs: number): void {
    this.#nextFrame = this.#keyFrameBefore(positionMs);
    if (!this.#isPaused) this.#go();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Number of the key frame at or before the moment, or at or before the start of the next file if no file holds the moment. */
  #keyFrameBefore(positionMs: number): number {
    const file = this.#options.files.find(({ endMs }) => endMs > positionMs);
    const frame = Math.floor(Math.max(positionMs, file?.startMs ?? positionMs) / FRAME_MS);
    return frame - (frame % this.#options.clip.keyFrameInterval);
  }

  #go(): void {
    if (this.#socket.connecting || this.#socket.destroyed || this.#isPaused) return;
    this.#anchor = { frame: this.#nextFrame, wallMs: Date.now() };
    this.#sendDue();
  }

  #sendDue(): void {
    this.#cancelNext?.();
    const { card } = this.#options.quirks;
    const runMs = Date.now() - this.#startedMs;
    if (card?.breaksOffAfterMs !== undefined && this.#sentFrames * FRAME_MS >= card.breaksOffAfterMs) {
      this.close();
      return;
    }
    if (card?.fallsSilentAfterMs !== undefined && runMs >= card.fallsSilentAfterMs) return;
    const isUnpaced = card?.isUnpaced === true;
    while (this.#socket.writableLength < MAX_UNSENT_BYTES && (isUnpaced || this.#dueMs() <= Date.now())) {
      if (!this.#skipGap()) {
        this.#socket.end();
        return;
      }
      this.#sendMoment(this.#nextFrame);
      this.#nextFrame += 1;
      this.#sentFrames += 1;
    }
    const isBusy = this.#socket.writableLength >= MAX_UNSENT_BYTES;
    const waitMs = isBusy ? BUSY_RETRY_MS : this.#dueMs() - Date.now();
    this.#cancelNext = runAfter(waitMs, () => this.#sendDue(), reportFault);
  }

  #dueMs(): number {
    return this.#anchor.wallMs + ((this.#nextFrame - this.#anchor.frame) * FRAME_MS) / this.#speed;
  }

  /** Goes to the next file at the end of one; false when there is nothing more. */
  #skipGap(): boolean {
    const { files, endMs } = this.#options;
    const momentMs = this.#nextFrame * FRAME_MS;
    const file = files.find((each) => each.endMs > momentMs);
    if (file === undefined || Math.max(momentMs, file.startMs) >= endMs) return false;
    if (momentMs >= file.startMs) return true;
    // The requested group may begin before its file does; then playback begins with the file's own first frame.
    this.#nextFrame = Math.ceil(file.startMs / FRAME_MS);
    this.#anchor = { frame: this.#nextFrame, wallMs: Date.now() };
    return true;
  }

  #sendMoment(frame: number): void {
    const { clip, quirks } = this.#options;
    const momentMs = frame * FRAME_MS;
    const picture = clip.frames[frameAt(momentMs)];
    if (picture !== undefined && (this.#speed <= MAX_FULL_SPEED || picture.isKey)) {
      const shownMs = momentMs + (picture.shownAt - frameAt(momentMs)) * FRAME_MS;
      this.#send({
        dataType: dataTypeOf(picture),
        payloadType: PayloadType[clip.codec],
        timestampMs: this.#stampOf(shownMs),
        bytes: picture.bytes,
      });
    }
    if (this.#speed !== 1 || quirks.audio === 'none') return;
    this.#send({
      dataType: DataType.Audio,
      payloadType: quirks.audio === 'µ-law' ? PayloadType.G711U : PayloadType.G711A,
      timestampMs: this.#stampOf(momentMs),
      bytes: toneChunk(momentMs, quirks.audio),
    });
  }

  #stampOf(momentMs: number): number {
    switch (this.#options.quirks.timestamps) {
      case 'frozen':
        return 0;
      case 'from-zero':
        // Counted from a minute before the start, which lies before the group that holds the start.
        return Math.max(0, momentMs - this.#options.startMs + 60_000);
      default:
        return momentMs + this.#options.stampsAheadMs;
    }
  }

  #send(frame: OutgoingFrame): void {
    this.#socket.cork();
    for (const packet of this.#framing.packets(frame)) this.#socket.write(packet);
    this.#socket.uncork();
  }
}
