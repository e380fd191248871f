import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { MessageBody } from './codec/message.ts';

/** A terminal that misses its answer sends the frame again after 10, 20, 60 and 240 seconds. */
const REMEMBERED_MS = 300_000;
/**
 * Answers of the last five minutes, which a repeated frame gets again. A terminal reporting every few seconds sends about this many frames
 * before its first retransmission. The oldest is forgotten, and its frame would be processed again. This is normal for terminals that
 * report often.
 */
export const REMEMBERED_REPLIES_LIMIT: Limit = { name: 'terminals.replies.connection', max: 24 };

interface Remembered {
  readonly fingerprint: number;
  readonly reply: MessageBody;
  atMs: number;
}

/** The replies to a connection's last frames. A repeated frame gets the same reply and isn't handled again. */
export class RecentReplies {
  readonly #now: () => number;
  readonly #onLimit: OnLimit;
  #remembered: Remembered[] = [];

  constructor(now: () => number, onLimit: OnLimit) {
    this.#now = now;
    this.#onLimit = onLimit;
  }

  /** The answer that the frame got before; undefined for a new one. */
  find(fingerprint: number): MessageBody | undefined {
    const oldestMs = this.#now() - REMEMBERED_MS;
    const known = this.#remembered.find((each) => each.fingerprint === fingerprint && each.atMs > oldestMs);
    if (known === undefined) return undefined;
    known.atMs = this.#now();
    return known.reply;
  }

  remember(fingerprint: number, reply: MessageBody): void {
    this.#remembered.push({ fingerprint, reply, atMs: this.#now() });
    if (this.#remembered.length <= REMEMBERED_REPLIES_LIMIT.max) return;
    const oldest = this.#remembered.shift();
    if (oldest !== undefined && oldest.atMs > this.#now() - REMEMBERED_MS) this.#onLimit(REMEMBERED_REPLIES_LIMIT);
  }
}

/**
 * Identifies a frame among those of its connection: 52 bits in a number, which takes less memory than a text. The content counts
 * beside id and serial, because some terminals never advance their serial.
 */
export function fingerprintOf(frame: Uint8Array): number {
  let first = 0x811c9dc5;
  let second = frame.length;
  for (const byte of frame) {
    first = Math.imul(first ^ byte, 0x01000193);
    second = (Math.imul(second, 31) + byte) | 0;
  }
  return (first >>> 0) * 0x10_0000 + (second & 0xf_ffff);
}
