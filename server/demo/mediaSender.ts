// One media connection of a simulated terminal: pictures and sound of the present moment, for as long as it is open.
import { connect, type Socket } from 'node:net';
import { FRAME_MS, frameAt, KEY_FRAME_INTERVAL } from './clip/clipFormat.ts';
import type { Clip } from './clip/loadClip.ts';
import { toneChunk } from './clip/tone.ts';
import { MediaFraming, type OutgoingFrame } from './mediaFraming.ts';

export interface MediaTarget {
  readonly host: string;
  readonly port: number;
}

export interface MediaSenderOptions {
  readonly target: MediaTarget;
  readonly sim: string;
  readonly channel: number;
  readonly clip: Clip;
  readonly withAudio: boolean;
  readonly onClose: () => void;
}

/** A terminal behind a dead link would otherwise fill its memory with pictures nobody takes. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;

/** Owns its socket and its timer until `close`. */
export class MediaSender {
  readonly #options: MediaSenderOptions;
  readonly #socket: Socket;
  readonly #framing: MediaFraming;
  #timer: NodeJS.Timeout | undefined;
  #nextFrame = 0;

  constructor(options: MediaSenderOptions) {
    this.#options = options;
    this.#framing = new MediaFraming(options.sim, options.channel);
    this.#socket = connect({ host: options.target.host, port: options.target.port, noDelay: true });
    this.#socket.on('connect', () => this.#begin());
    // The gateway only speaks here in talk-back; what is not read would stop the socket.
    this.#socket.resume();
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('close', () => {
      clearTimeout(this.#timer);
      options.onClose();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Starts with the group under way, as an encoder with a ring of recent frames does: a viewer need not wait for a key frame. */
  #begin(): void {
    const now = Math.floor(Date.now() / FRAME_MS);
    this.#nextFrame = now - (now % KEY_FRAME_INTERVAL);
    this.#sendDue();
  }

  #sendDue(): void {
    const nowMs = Date.now();
    for (; this.#nextFrame * FRAME_MS <= nowMs; this.#nextFrame++) this.#sendMoment(this.#nextFrame * FRAME_MS);
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.close();
    // Each wait is counted from the clock, not from the last wait, so delays do not add up.
    else this.#timer = setTimeout(() => this.#sendDue(), this.#nextFrame * FRAME_MS - Date.now());
  }

  #sendMoment(timestampMs: number): void {
    const picture = this.#options.clip.frames[frameAt(timestampMs)];
    if (picture !== undefined) this.#send({ media: 'video', timestampMs, ...picture });
    if (!this.#options.withAudio) return;
    this.#send({ media: 'audio', isKey: false, timestampMs, bytes: toneChunk(timestampMs) });
  }

  #send(frame: OutgoingFrame): void {
    this.#socket.cork();
    for (const packet of this.#framing.packets(frame)) this.#socket.write(packet);
    this.#socket.uncork();
  }
}
