// Binary layouts: a bounded reader, a writer, and the fields that bodies are declared with. Types derive from layouts.
import type { WallMs } from '../../../../shared/protocol/time.ts';
import { bytesOfDigits, digitsOf, digitsOfTime, GMT_PLUS_8_MS, timeOfDigits } from './bcd.ts';
import type { Edition } from './codes.ts';
import { decodeGbk, encodeGbk } from './gbk.ts';

/**
 * Reads a body front to back and never past its end: a read that does not fit fails the reader, which from then on is
 * at its end and gives zeros. So decoders need no check of their own; who decodes asks `why` once, at the end.
 */
export class Reader {
  readonly edition: Edition;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #reason: string | undefined;

  constructor(bytes: Uint8Array, edition: Edition) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.edition = edition;
  }

  /** 0 after a failure, so that loops over what is left come to an end. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** The first failure; undefined as long as everything read was there. */
  get reason(): string | undefined {
    return this.#reason;
  }

  uint(size: 1 | 2 | 4): number {
    const at = this.#advance(size);
    if (at === undefined) return 0;
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** A view; empty after a failure. */
  bytes(length: number): Uint8Array {
    const at = this.#advance(length);
    return at === undefined ? this.#bytes.subarray(this.#at) : this.#bytes.subarray(at, at + length);
  }

  rest(): Uint8Array {
    return this.bytes(this.remaining);
  }

  /** What is left, without moving on. */
  peek(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  #advance(length: number): number | undefined {
    const at = this.#at;
    if (length <= this.remaining) {
      this.#at += length;
      return at;
    }
    this.#reason ??= `short read at ${at}: ${length} of ${this.remaining} bytes`;
    this.#at = this.#bytes.length;
    return undefined;
  }
}

/** Builds a body. Values that do not fit their field throw a RangeError: they are the gateway's own. */
export class Writer {
  readonly edition: Edition;
  #bytes = new Uint8Array(64);
  #length = 0;

  constructor(edition: Edition) {
    this.edition = edition;
  }

  uint(size: 1 | 2 | 4, value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * size)) {
      throw new RangeError(`${value} does not fit ${size} bytes`);
    }
    const at = this.#room(size);
    for (let byte = 0; byte < size; byte++) this.#bytes[at + byte] = (value / 2 ** (8 * (size - 1 - byte))) & 0xff;
  }

  bytes(bytes: Uint8Array): void {
    // The room is made first: making it may replace the buffer.
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return at;
  }
}

/** One value's place in a body. */
export interface Field<T> {
  read(from: Reader): T;
  write(to: Writer, value: T): void;
}

export type Value<F> = F extends Field<infer T> ? T : never;
type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<F extends Fields> = { readonly [Name in keyof F]: Value<F[Name]> };

/** Fields one after the other; the order of the object is the order on the wire. */
export function layout<F extends Fields>(fields: F): Field<Values<F>> {
  const entries = Object.entries(fields);
  return {
    read(from) {
      const values: Record<string, unknown> = {};
      for (const [name, field] of entries) values[name] = field.read(from);
      return values as Values<F>;
    },
    write(to, values) {
      const byName: Readonly<Record<string, unknown>> = values;
      for (const [name, field] of entries) field.write(to, byName[name]);
    },
  };
}

function uint(size: 1 | 2 | 4): Field<number> {
  return { read: (from) => from.uint(size), write: (to, value) => to.uint(size, value) };
}

export const u8: Field<number> = uint(1);
export const u16: Field<number> = uint(2);
export const u32: Field<number> = uint(4);

export const i16: Field<number> = {
  read: (from) => (from.uint(2) << 16) >> 16,
  write(to, value) {
    if (value < -0x8000 || value > 0x7fff) throw new RangeError(`${value} does not fit 2 signed bytes`);
    to.uint(2, value & 0xffff);
  },
};

const MICRODEGREES = 1_000_000;

/** A coordinate without its sign, on the wire in millionths of a degree; a status word has the sign. */
export const absoluteDegrees: Field<number> = {
  read: (from) => from.uint(4) / MICRODEGREES,
  write: (to, value) => to.uint(4, Math.round(Math.abs(value) * MICRODEGREES)),
};

export function bytes(length: number): Field<Uint8Array> {
  return {
    read: (from) => from.bytes(length),
    write(to, value) {
      if (value.length !== length) throw new RangeError(`${value.length} bytes in a field of ${length}`);
      to.bytes(value);
    },
  };
}

export const restBytes: Field<Uint8Array> = { read: (from) => from.rest(), write: (to, value) => to.bytes(value) };

/** A field and the reserved bytes behind it, which are written as zeros and not looked at. */
export function withReserved<T>(field: Field<T>, reservedBytes: number): Field<T> {
  return {
    read(from) {
      const value = field.read(from);
      from.bytes(reservedBytes);
      return value;
    },
    write(to, value) {
      field.write(to, value);
      to.bytes(new Uint8Array(reservedBytes));
    },
  };
}

/** Text in a field of its own length. Terminals pad on either side, with zeros or spaces; written padded behind. */
export function paddedText(length: number): Field<string> {
  return {
    read: (from) => trimPadding(decodeGbk(from.bytes(length))),
    write(to, value) {
      const encoded = encodeGbk(value);
      if (encoded.length > length) throw new RangeError(`text of ${encoded.length} bytes in a field of ${length}`);
      to.bytes(encoded);
      to.bytes(new Uint8Array(length - encoded.length));
    },
  };
}

/** Text to the body's end, without the zeros that some terminals put behind it. */
export const restText: Field<string> = {
  read: (from) => trimZeros(decodeGbk(from.rest())),
  write: (to, value) => to.bytes(encodeGbk(value)),
};

/** Text behind its length in bytes; some terminals count the zeros that pad it. */
export function countedText(countField: Field<number>, encode = encodeGbk): Field<string> {
  return {
    read: (from) => trimZeros(decodeGbk(from.bytes(countField.read(from)))),
    write(to, value) {
      const encoded = encode(value);
      countField.write(to, encoded.length);
      to.bytes(encoded);
    },
  };
}

/** Items behind their count. */
export function counted<T>(countField: Field<number>, item: Field<T>): Field<readonly T[]> {
  return {
    read(from) {
      const items: T[] = [];
      const count = countField.read(from);
      while (items.length < count && from.reason === undefined) items.push(item.read(from));
      return items;
    },
    write(to, items) {
      countField.write(to, items.length);
      for (const each of items) item.write(to, each);
    },
  };
}

/** Hexadecimal digits of a field, decimal where it is BCD. */
export function digits(length: number): Field<string> {
  const field = bytes(length);
  return { read: (from) => digitsOf(field.read(from)), write: (to, value) => field.write(to, bytesOfDigits(value)) };
}

function time(offsetMs: number): Field<WallMs | undefined> {
  const field = digits(6);
  return {
    read: (from) => timeOfDigits(field.read(from), offsetMs),
    write: (to, value) => field.write(to, digitsOfTime(value, offsetMs)),
  };
}

/** BCD in China's time; undefined: none, or no valid date. */
export const localTime: Field<WallMs | undefined> = time(GMT_PLUS_8_MS);
export const utcTime: Field<WallMs | undefined> = time(0);

/** A body without content. What some terminals put there all the same is left unread. */
export const nothing: Field<object> = { read: () => ({}), write: () => undefined };

/** Reads `bytes` as a whole; undefined when they end too early. `left` tells how many were not needed. */
export function tryRead<T>(
  field: Field<T>,
  bytes: Uint8Array,
  edition: Edition,
): { value: T; left: number } | undefined {
  const from = new Reader(bytes, edition);
  const value = field.read(from);
  return from.reason === undefined ? { value, left: from.remaining } : undefined;
}

function trimPadding(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPadding(text[start])) start++;
  while (end > start && isPadding(text[end - 1])) end--;
  return text.slice(start, end);
}

function isPadding(character: string | undefined): boolean {
  return character === '\0' || character === ' ';
}

function trimZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\0') end--;
  return text.slice(0, end);
}
