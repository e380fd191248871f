// JT/T 808 framing: 7E, the escaped content and its check byte, 7E.
export const DELIMITER = 0x7e;
const ESCAPE = 0x7d;
const ESCAPED_ESCAPE = 0x01;
const ESCAPED_DELIMITER = 0x02;

/** The shortest header and a check byte. */
const MIN_CONTENT_BYTES = 12 + 1;
/** The longest header, the longest body that ten bits can state, and a check byte make 1045; some room for the careless. */
const MAX_CONTENT_BYTES = 2048;
/** The same on the wire, each byte of it escaped; without the delimiters. */
export const MAX_ESCAPED_BYTES = 2 * MAX_CONTENT_BYTES;

export type FrameFault = 'escape' | 'check' | 'length' | 'overrun';
export type FrameEvent =
  /** `bytes` is unescaped, its check byte verified and removed; a copy that is the receiver's to keep. */
  { readonly kind: 'frame'; readonly bytes: Uint8Array } | { readonly kind: 'fault'; readonly reason: FrameFault };

/**
 * Cuts a byte stream into frames, whatever its chunks are. Every 7E ends what came before it and may begin what
 * follows: senders put one or two between frames. Memory is one fixed buffer.
 */
export class FrameSplitter {
  readonly #content = new Uint8Array(MAX_CONTENT_BYTES);
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
    this.#content[this.#length++] = value;
    return undefined;
  }
}

function unescaped(byte: number): number | undefined {
  if (byte === ESCAPED_ESCAPE) return ESCAPE;
  if (byte === ESCAPED_DELIMITER) return DELIMITER;
  return undefined;
}

/** Header and body become a frame for the wire: check byte behind them, escaped, between two delimiters. */
export function encodeFrame(bytes: Uint8Array): Uint8Array {
  const wire = new Uint8Array(2 + 2 * (bytes.length + 1));
  let length = 0;
  const put = (byte: number): void => {
    const escaped = byte === ESCAPE ? ESCAPED_ESCAPE : byte === DELIMITER ? ESCAPED_DELIMITER : undefined;
    wire[length++] = escaped === undefined ? byte : ESCAPE;
    if (escaped !== undefined) wire[length++] = escaped;
  };
  wire[length++] = DELIMITER;
  for (const byte of bytes) put(byte);
  put(checkOf(bytes));
  wire[length++] = DELIMITER;
  return wire.slice(0, length);
}

function checkOf(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes) check ^= byte;
  return check;
}
