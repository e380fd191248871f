// What goes to a terminal: in the header form that it uses itself, counted, and kept where it may ask for it again.
import type { Socket } from 'node:net';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { Header, HeaderFields } from './codec/header.ts';
import { encodeMessage, encodeMessages, type MessageBody, type PartBody } from './codec/message.ts';
import type { ResendRequest } from './codec/messages/general.ts';

/** Serials of a message's frames; the same where it went out in one. */
export interface SentSerials {
  readonly first: number;
  readonly last: number;
}

/** Unsent data to a terminal: one that takes nothing is gone, and its commands would pile up here. The connection is closed. */
export const UNSENT_BYTES_LIMIT: Limit = { name: 'terminals.unsent-bytes.connection', max: 256 * 1024 };

/** Writes to the socket; who owns the socket closes it, but for a terminal that takes nothing any more. */
export class Outbox {
  readonly #socket: Socket;
  readonly #onLimit: OnLimit;
  #header: Header | undefined;
  #serial = 0;
  /** The last message that went out in packages, for 0x0005. */
  #packages: { readonly first: number; readonly frames: readonly Uint8Array[] } | undefined;

  constructor(socket: Socket, onLimit: OnLimit) {
    this.#socket = socket;
    this.#onLimit = onLimit;
  }

  /** Takes the form of answers from what the terminal sent last. */
  answerAs(header: Header): void {
    this.#header = header;
  }

  /** Undefined when nothing could be sent: the socket is closed or nothing has come over it yet. */
  send(body: MessageBody): SentSerials | undefined {
    const header = this.#header;
    if (header === undefined || this.#socket.destroyed) return undefined;
    const { edition, protocolVersion, terminal } = header;
    const fields: HeaderFields = { edition, protocolVersion, terminal, serial: this.#serial };
    const frames = encodeMessages(fields, body);
    const first = this.#serial;
    const last = (first + frames.length - 1) & 0xffff;
    this.#serial = (last + 1) & 0xffff;
    if (frames.length > 1) this.#packages = { first, frames };
    this.#write(frames);
    return { first, last };
  }

  /** Sends packages again; false when they are no longer here. */
  resend({ firstSerial, numbers }: ResendRequest): boolean {
    const packages = this.#packages;
    if (packages === undefined || packages.first !== firstSerial) return false;
    const wanted = [...new Set(numbers)].map((number) => packages.frames[number - 1]);
    const known = wanted.filter((frame) => frame !== undefined);
    this.#write(known);
    return known.length > 0;
  }

  /**
   * Serials for a message whose packages go out one by one: consecutive, as the standard has it, though other messages go out between
   * them. Terminals compute the serial of package 1, which 0x0005 names, by subtraction. No terminal is known to need serials that only
   * increase. Gives the first; undefined when nothing could be sent.
   */
  reserveSerials(count: number): number | undefined {
    if (this.#header === undefined || this.#socket.destroyed) return undefined;
    const first = this.#serial;
    this.#serial = (first + count) & 0xffff;
    return first;
  }

  /** Gives the bytes on the wire; undefined when nothing could be sent. */
  sendPackage(body: PartBody, serial: number): number | undefined {
    const header = this.#header;
    if (header === undefined || this.#socket.destroyed) return undefined;
    const { edition, protocolVersion, terminal } = header;
    const frame = encodeMessage({ edition, protocolVersion, terminal, serial }, body);
    this.#write([frame]);
    return frame.length;
  }

  /** Tells once when the socket takes more, and gives the end of that; undefined when it takes more now. */
  onDrained(run: () => void): (() => void) | undefined {
    const socket = this.#socket;
    if (!socket.writableNeedDrain) return undefined;
    socket.once('drain', run);
    return () => socket.off('drain', run);
  }

  #write(frames: readonly Uint8Array[]): void {
    for (const frame of frames) this.#socket.write(frame);
    if (this.#socket.writableLength <= UNSENT_BYTES_LIMIT.max) return;
    this.#onLimit(UNSENT_BYTES_LIMIT);
    this.#socket.destroy();
  }
}
