// The connection on which a terminal uploads the files of alarms (T/JSATL 12): frames of JT/T 808, and between them blocks of
// file data, which are neither escaped nor checked.
import { DELIMITER, type FrameFault, FrameSplitter, MAX_ESCAPED_BYTES } from './frame.ts';
import { decodeGbk, encodeEchoed } from './gbk.ts';
import { hasMagic, isCutMagic, MAGIC, MAGIC_BYTES, MAGIC_FIRST_BYTE, magicFrom } from './streamMagic.ts';
import { UnreadBytes } from './unreadBytes.ts';

export const MAX_BLOCK_BYTES = 65_536;
export const MAX_BLOCK_NAME_BYTES = 50;

/** A piece of a file. */
export interface FileBlock {
  /** The name in 0x1211, but at most 50 bytes: terminals cut longer names. */
  readonly name: string;
  /** Where the data begins in the file. The file's size is not known here, so the offset can lie behind its end. */
  readonly offset: number;
  readonly data: Uint8Array;
}

type AttachmentFault = FrameFault | 'block-length' | 'resync';
export type AttachmentEvent =
  /** An unescaped frame, for decodeMessage. */
  | { readonly kind: 'frame'; readonly bytes: Uint8Array }
  /** `data` is a view that stays valid, because no buffer is used twice. */
  | ({ readonly kind: 'block' } & FileBlock)
  /** `resync`: bytes that belong to nothing; reported once until something whole comes. */
  | { readonly kind: 'broken'; readonly reason: AttachmentFault };

interface Taken {
  readonly event?: AttachmentEvent;
  readonly size: number;
}

const NAME_AT = MAGIC_BYTES;
const OFFSET_AT = NAME_AT + MAX_BLOCK_NAME_BYTES;
const LENGTH_AT = OFFSET_AT + 4;
const HEADER_BYTES = LENGTH_AT + 4;

/**
 * Cuts the stream into frames and blocks, in linear time however it is chunked. Holds at most one block. Chunks must not be changed
 * after they are pushed, since blocks are views of them.
 *
 * A block states its length, so whatever it holds is data. A frame does not: the magic number of a block inside a frame is content
 * if the frame is right, and the place where reading goes on if it is not. Directly behind a delimiter the magic number always
 * begins a block, since no message has such an id.
 */
export class AttachmentSplitter {
  readonly #unread = new UnreadBytes();
  readonly #frames = new FrameSplitter();
  /** Broken bytes were reported, and nothing whole has come since. */
  #isLost = false;

  push(chunk: Uint8Array): AttachmentEvent[] {
    this.#unread.append(chunk);
    const events: AttachmentEvent[] = [];
    for (let taken = this.#take(); taken !== undefined; taken = this.#take()) {
      this.#unread.skip(taken.size);
      if (taken.event === undefined) continue;
      this.#isLost = taken.event.kind === 'broken';
      events.push(taken.event);
    }
    return events;
  }

  /** The frame or block at the start of the unread bytes; undefined where more bytes must come first. */
  #take(): Taken | undefined {
    const bytes = this.#unread.view;
    if (bytes.length === 0) return undefined;
    const start = startFrom(bytes);
    if (start > 0) return this.#isLost ? { size: start } : broken('resync', start);
    return bytes[0] === DELIMITER ? this.#takeFrame(bytes) : takeBlock(bytes);
  }

  #takeFrame(bytes: Uint8Array): Taken | undefined {
    let delimiters = 1;
    while (bytes[delimiters] === DELIMITER) delimiters++;
    if (delimiters > 1) return { size: delimiters - 1 };
    if (hasMagic(bytes, 1)) return { size: 1 };
    const content = bytes.subarray(1, 1 + MAX_ESCAPED_BYTES + 1);
    const length = content.indexOf(DELIMITER);
    if (length < 0) {
      return content.length <= MAX_ESCAPED_BYTES ? undefined : broken('overrun', 1 + magicFrom(content, 0));
    }
    const [event] = this.#frames.push(bytes.subarray(0, length + 2));
    // The delimiter behind the content stays: it may begin the next frame.
    if (event?.kind === 'frame') return { event, size: 1 + length };
    return broken(event?.reason ?? 'length', 1 + magicFrom(content.subarray(0, length), 0));
  }
}

/** The offset at which a frame or a block begins or, at the end, may begin; the length where there is none. */
function startFrom(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === DELIMITER) return at;
    if (byte === MAGIC_FIRST_BYTE && (hasMagic(bytes, at) || isCutMagic(bytes, at))) return at;
  }
  return bytes.length;
}

function takeBlock(bytes: Uint8Array): Taken | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(LENGTH_AT);
  if (length > MAX_BLOCK_BYTES) return broken('block-length', MAGIC_BYTES);
  const size = HEADER_BYTES + length;
  if (bytes.length < size) return undefined;
  const name = nameOf(bytes.subarray(NAME_AT, OFFSET_AT));
  const data = bytes.subarray(HEADER_BYTES, size);
  return { event: { kind: 'block', name, offset: view.getUint32(OFFSET_AT), data }, size };
}

/** The name up to the first zero: the bytes behind it in the buffers of some terminals are no part of it. */
function nameOf(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decodeGbk(end < 0 ? field : field.subarray(0, end));
}

function broken(reason: AttachmentFault, size: number): Taken {
  return { event: { kind: 'broken', reason }, size };
}

/** The block for the wire. Throws a RangeError for values that do not fit: they are the caller's own. */
export function encodeBlock({ name, offset, data }: FileBlock): Uint8Array {
  const encoded = encodeEchoed(name);
  if (encoded.length > MAX_BLOCK_NAME_BYTES) throw new RangeError(`name of ${encoded.length} bytes`);
  if (data.length > MAX_BLOCK_BYTES) throw new RangeError(`block of ${data.length} bytes`);
  if (!Number.isInteger(offset) || offset < 0 || offset > 0xffffffff) throw new RangeError(`offset ${offset}`);
  const bytes = new Uint8Array(HEADER_BYTES + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  bytes.set(encoded, NAME_AT);
  view.setUint32(OFFSET_AT, offset);
  view.setUint32(LENGTH_AT, data.length);
  bytes.set(data, HEADER_BYTES);
  return bytes;
}
