import { MAGIC_BYTES, magicFrom } from '../../jt808/codec/streamMagic.ts';
import { UnreadBytes } from '../../jt808/codec/unreadBytes.ts';
import { decodePacket, MAX_BODY_BYTES, type MediaPacket, probePacket, type SimBytes } from './packet.ts';
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

/**
 * Cuts a media connection into packets by their length fields, in linear time however the stream is chunked. Holds at
 * most one packet. Chunks must not be written to once they were pushed, since packets are views of them.
 */
export class MediaSplitter {
  readonly #options: MediaSplitterOptions;
  readonly #maxBodyBytes: number;
  readonly #unread = new UnreadBytes();
  /** Kept for the connection, and determined again after each resynchronization. */
  #simBytes: SimBytes | undefined;

  constructor(options: MediaSplitterOptions = {}) {
    this.#options = options;
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  }

  push(chunk: Uint8Array): MediaEvent[] {
    this.#unread.append(chunk);
    return this.#read(false);
  }

  /** The connection has ended: a last packet is read without a next one to confirm it. */
  end(): MediaEvent[] {
    return this.#read(true);
  }

  #read(ended: boolean): MediaEvent[] {
    const events: MediaEvent[] = [];
    let skippedBytes = 0;
    const tellSkipped = (): void => {
      if (skippedBytes > 0) events.push({ kind: 'fault', reason: 'resync', skippedBytes });
      skippedBytes = 0;
    };
    for (;;) {
      const taken = this.#take(this.#unread.view, ended);
      if (taken === undefined) break;
      this.#unread.skip(taken.size);
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
