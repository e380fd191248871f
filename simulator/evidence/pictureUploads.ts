// Uploads the pictures of a terminal (0x0801) one after another, each until the platform has all of its packages.
import type { MessageBody } from '../../server/device/jt808/codec/message.ts';
import type { After } from '../../server/faults/timers.ts';
import type { OutgoingMessage } from '../outgoingMessages.ts';

export interface PictureUploadsDeps {
  readonly runAfter: After;
  /** Undefined when the picture no longer exists. */
  readonly messageOf: (mediaId: number) => MessageBody | undefined;
  readonly send: (body: MessageBody) => OutgoingMessage;
  readonly sendAgain: (frames: readonly Uint8Array[]) => void;
  readonly onUploaded: (mediaId: number) => void;
}

const ANSWER_TIMEOUT_MS = 20_000;
/** Wait after the platform refuses a picture or does not answer; each wait is twice the one before. */
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 600_000;
const MAX_ATTEMPTS = 6;

/** Owns its timers from `signedIn` to `disconnected`. */
export class PictureUploads {
  readonly #deps: PictureUploadsDeps;
  #waiting: number[] = [];
  /** Number of failed attempts by media id. */
  readonly #failed = new Map<number, number>();
  #sent: { readonly mediaId: number; readonly message: OutgoingMessage } | undefined;
  #isSignedIn = false;
  #retryMs = FIRST_RETRY_MS;
  #cancelTimer: (() => void) | undefined;

  constructor(deps: PictureUploadsDeps) {
    this.#deps = deps;
  }

  add(mediaIds: readonly number[]): void {
    this.#waiting.push(...mediaIds.filter((id) => !this.#waiting.includes(id)));
    if (this.#sent === undefined && this.#cancelTimer === undefined) this.#next();
  }

  signedIn(): void {
    this.#isSignedIn = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#next();
  }

  disconnected(): void {
    this.#isSignedIn = false;
    this.#sent = undefined;
    this.#cancel();
  }

  /** Handles 0x8800, which names the missing packages, or none. */
  answered(mediaId: number, missing: readonly number[]): void {
    const sent = this.#sent;
    if (sent?.mediaId !== mediaId) return;
    if (missing.length > 0) {
      const { frames } = sent.message;
      this.#deps.sendAgain(missing.flatMap((number) => frames[number - 1] ?? []));
      this.#expectAnswer();
      return;
    }
    this.#retryMs = FIRST_RETRY_MS;
    this.#drop(mediaId);
    this.#deps.onUploaded(mediaId);
    this.#next();
  }

  /** The platform refused a message: if it is a picture, it is sent again later. */
  refused(serial: number): void {
    const sent = this.#sent;
    if (sent === undefined) return;
    const { serial: first, frames } = sent.message;
    if (((serial - first) & 0xffff) < frames.length) this.#retryLater();
  }

  #next(): void {
    this.#cancel();
    this.#sent = undefined;
    const [mediaId] = this.#waiting;
    if (!this.#isSignedIn || mediaId === undefined) return;
    const body = this.#deps.messageOf(mediaId);
    if (body === undefined) {
      this.#drop(mediaId);
      this.#next();
      return;
    }
    this.#sent = { mediaId, message: this.#deps.send(body) };
    this.#expectAnswer();
  }

  #expectAnswer(): void {
    this.#cancel();
    this.#cancelTimer = this.#deps.runAfter(ANSWER_TIMEOUT_MS, () => this.#retryLater());
  }

  /** Puts the picture behind the others, to be sent again later. */
  #retryLater(): void {
    this.#cancel();
    if (this.#sent !== undefined) this.#putBack(this.#sent.mediaId);
    this.#sent = undefined;
    this.#cancelTimer = this.#deps.runAfter(this.#retryMs, () => this.#next());
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  #putBack(mediaId: number): void {
    const failed = (this.#failed.get(mediaId) ?? 0) + 1;
    this.#drop(mediaId);
    if (failed >= MAX_ATTEMPTS) return;
    this.#failed.set(mediaId, failed);
    this.#waiting.push(mediaId);
  }

  #drop(mediaId: number): void {
    this.#failed.delete(mediaId);
    this.#waiting = this.#waiting.filter((id) => id !== mediaId);
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
