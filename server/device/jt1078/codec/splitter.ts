import {
  decodePacket,
  hasMagic,
  MAGIC_BYTES,
  MAX_BODY_BYTES,
  type MediaPacket,
  probePacket,
  type SimBytes,
} from './packet.ts';
import { type SimHints, simWidth } from './simWidth.ts';

export type MediaEvent =
  /** The packet's body is a view that stays valid, because no buffer is used twice. */
  | { readonly kind: 'packet'; readonly packet: MediaPacket }
  /** Bytes that belong to no packet, reported per chunk. */
  | { readonly kind: 'fault'; readonly reason: 'resync'; readonly skippedBytes: number };

export interface MediaSplitterOptions extends SimHints {
  /** A longer body is taken for damage. The standard says 950, terminals exceed it. */
  readonly maxBodyBytes?: number;
}

type Taken =
  | { readonly packet: MediaPacket; readonly size: number }
  | { readonly packet?: never; readonly size: number };

const FIRST_BUFFER_BYTES = 4096;
const MAGIC_FIRST_BYTE = 0x30;

/**
 * Cuts a media connection into packets by their length fields, in linear time however the stream is chunked. Holds at
 * most one packet. Chunks must not be written to once they were pushed, since packets are views of them.
 */
export class MediaSplitter {
  readonly #options: MediaSplitterOptions;
  readonly #maxBodyBytes: number;
  /** Bytes from `#start` to `#end` wait for more. What lies before them has been handed out; what follows is free. */
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** Kept for the connection, and determined again after each resynchronization. */
  #simBytes: SimBytes | undefined;

  constructor(options: MediaSplitterOptions = {}) {
    this.#options = options;
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  }

  push(chunk: Uint8Array): MediaEvent[] {
    // Sockets give Buffers, whose `slice` and comparison behave differently from those of the Uint8Arrays that bodies are.
    this.#append(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    return this.#read(false);
  }

  /** The connection has ended: a last packet is read without a next one to confirm it. */
  end(): MediaEvent[] {
    return this.#read(true);
  }

  #append(chunk: Uint8Array): void {
    const held = this.#end - this.#start;
    if (held === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    // A chunk of the caller's is full to its end, so nothing is ever appended to one.
    if (this.#end + chunk.length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(FIRST_BUFFER_BYTES, 2 * held, held + chunk.length));
      larger.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = larger;
      this.#start = 0;
      this.#end = held;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #read(ended: boolean): MediaEvent[] {
    const events: MediaEvent[] = [];
    let skippedBytes = 0;
    const tellSkipped = (): void => {
      if (skippedBytes > 0) events.push({ kind: 'fault', reason: 'resync', skippedBytes });
      skippedBytes = 0;
    };
    for (;;) {
      const taken = this.#take(this.#buffer.subarray(this.#start, this.#end), ended);
      if (taken === undefined) break;
      this.#start += taken.size;
      if (taken.packet === undefined) {
        skippedBytes += taken.size;
        continue;
      }
      tellSkipped();
      events.push({ kind: 'packet', packet: taken.packet });
    }
    tellSkipped();
    return events;
  }

  /** The packet or the damage at the start of `bytes`; undefined where more bytes must come first. */
  #take(bytes: Uint8Array, ended: boolean): Taken | undefined {
    const lead = magicFrom(bytes, 0);
    if (lead > 0) return this.#lose(lead);
    if (bytes.length < MAGIC_BYTES) return undefined;
    const width = this.#simBytes ?? simWidth(bytes, { ...this.#options, ended });
    if (width === undefined) return undefined;
    if (width === 'neither') return this.#lose(magicFrom(bytes, 1));
    this.#simBytes = width;
    const probe = probePacket(bytes, 0, width);
    if (!probe.ok) return probe.reason === 'short' ? undefined : this.#lose(magicFrom(bytes, 1));
    if (probe.bodyBytes > this.#maxBodyBytes) return this.#lose(magicFrom(bytes, 1));
    const result = decodePacket(bytes, width);
    return result.ok ? result : undefined;
  }

  #lose(size: number): Taken {
    this.#simBytes = undefined;
    return { size };
  }
}

/** Where the magic number or, at the end, a beginning of it stands at or after `at`; the length where nowhere. */
function magicFrom(bytes: Uint8Array, at: number): number {
  for (
    let found = bytes.indexOf(MAGIC_FIRST_BYTE, at);
    found >= 0;
    found = bytes.indexOf(MAGIC_FIRST_BYTE, found + 1)
  ) {
    if (hasMagic(bytes, found) || isCutMagic(bytes, found)) return found;
  }
  return bytes.length;
}

function isCutMagic(bytes: Uint8Array, at: number): boolean {
  const left = bytes.length - at;
  return left < MAGIC_BYTES && [0x30, 0x31, 0x63].every((byte, index) => index >= left || bytes[at + index] === byte);
}
