// JT/T 808 framing: 7E, the escaped content and its check byte, 7E.
export const DELIMITER = 0x7e;
const ESCAPE = 0x7d;
const ESCAPED_ESCAPE = 0x01;
const ESCAPED_DELIMITER = 0x02;

/** The shortest header and a check byte. */
const MIN_CONTENT_BYTES = 12 + 1;
/** The longest header, the longest body that ten bits can state, and a check byte make 1045; some room for the careless. */
const MAX_CONTENT_BYTES = 2048;
/** Room for a position with its items, and for what else terminals say every few seconds. */
const USUAL_CONTENT_BYTES = 128;
/** The same on the wire, each byte of it escaped; without the delimiters. */
export const MAX_ESCAPED_BYTES = 2 * MAX_CONTENT_BYTES;

export type FrameFault = 'escape' | 'check' | 'length' | 'overrun';
export type FrameEvent =
  /** `bytes` is unescaped, its check byte verified and removed; a copy that is the receiver's to keep. */
  { readonly kind: 'frame'; readonly bytes: Uint8Array } | { readonly kind: 'fault'; readonly reason: FrameFault };

/**
 * Cuts a byte stream into frames, whatever its chunks are. Every 7E ends what came before it and may begin what
 * follows: senders put one or two between frames. Memory is one buffer, which grows to the longest frame that came.
 */
export class FrameSplitter {
  #content = new Uint8Array(USUAL_CONTENT_BYTES);
  #length = 0;
  #escaping = false;
  /** Skipping to the next 7E: at the start, and after a fault that was already told. */
  #skipping = true;

  push(chunk: Uint8Array): FrameEvent[] {
    const events: FrameEvent[] = [];
    for (const byte of chunk) {
      if (byte === DELIMITER) {
        const event = this.#end();
        if (event !== undefined) events.push(event);
      } else if (!this.#skipping) {
        const reason = this.#take(byte);
        if (reason !== undefined) {
          this.#skipping = true;
          events.push({ kind: 'fault', reason });
        }
      }
    }
    return events;
  }

  #end(): FrameEvent | undefined {
    const content = this.#skipping ? undefined : this.#content.subarray(0, this.#length);
    const cut = this.#escaping;
    this.#length = 0;
    this.#escaping = false;
    this.#skipping = false;
    if (content === undefined || (content.length === 0 && !cut)) return undefined;
    if (cut) return { kind: 'fault', reason: 'escape' };
    if (content.length < MIN_CONTENT_BYTES) return { kind: 'fault', reason: 'length' };
    if (checkOf(content) !== 0) return { kind: 'fault', reason: 'check' };
    return { kind: 'frame', bytes: content.slice(0, -1) };
  }

  #take(byte: number): FrameFault | undefined {
    if (byte === ESCAPE && !this.#escaping) {
      this.#escaping = true;
      return undefined;
    }
    const value = this.#escaping ? unescaped(byte) : byte;
    this.#escaping = false;
    if (value === undefined) return 'escape';
    if (this.#length === MAX_CONTENT_BYTES) return 'overrun';
    if (this.#length === this.#content.length) this.#content = grown(this.#content);
    this.#content[this.#length++] = value;
    return undefined;
  }
}

function grown(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * content.length);
  larger.set(content);
  return larger;
}

function unescaped(byte: number): number | undefined {
  if (byte === ESCAPED_ESCAPE) return ESCAPE;
  if (byte === ESCAPED_DELIMITER) return DELIMITER;
  return undefined;
}

/**
 * Header and body, in one piece or several, become a frame for the wire: check byte behind them, escaped, between two delimiters.
 * It's measured first, so that nothing is allocated but the frame: an image for a hundred terminals is a million of them.
 */
export function encodeFrame(...pieces: readonly Uint8Array[]): Uint8Array {
  let check = 0;
  let escapes = 0;
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      check ^= byte;
      if (isEscaped(byte)) escapes++;
    }
  }
  if (isEscaped(check)) escapes++;
  const wire = new Uint8Array(1 + length + 1 + escapes + 1);
  wire[0] = DELIMITER;
  let end = 1;
  for (const piece of pieces) end = putEscaped(wire, end, piece);
  end = putEscaped(wire, end, [check]);
  wire[end] = DELIMITER;
  return wire;
}

/** Gives where the next byte goes. */
function putEscaped(wire: Uint8Array, start: number, bytes: ArrayLike<number>): number {
  let end = start;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isEscaped(byte)) {
      wire[end++] = ESCAPE;
      wire[end++] = byte === ESCAPE ? ESCAPED_ESCAPE : ESCAPED_DELIMITER;
    } else {
      wire[end++] = byte;
    }
  }
  return end;
}

function isEscaped(byte: number): boolean {
  return byte === ESCAPE || byte === DELIMITER;
}

function checkOf(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes) check ^= byte;
  return check;
}
