// Puts an image together that comes in packages (0x8108), and requests the packages that the terminal has forgotten.
import { decodeGbk } from '../../server/device/jt808/codec/gbk.ts';
import type { PartNumber } from '../../server/device/jt808/codec/header.ts';

export interface ArrivedImage {
  /** '' if it was not given. */
  readonly version: string;
  readonly data: Uint8Array;
  /** One of FIRMWARE_PART_CODES. */
  readonly type: number;
}

export type PackageStep =
  | { readonly kind: 'more' }
  /** A request for these packages (0x0005) is due. */
  | { readonly kind: 'missing'; readonly firstSerial: number; readonly numbers: readonly number[] }
  | { readonly kind: 'complete'; readonly body: Uint8Array };

/** Maximum that one request names; the older edition counts in one byte. */
const MAX_ASKED = 200;

export class ImagePackages {
  readonly #forgetEvery: number;
  #pieces = new Map<number, Uint8Array>();
  #forgotten = new Set<number>();
  #asked = new Set<number>();
  #total = 0;
  #firstSerial = -1;
  #hasLast = false;

  /** Every n-th package is forgotten when it comes for the first time; 0 forgets none. */
  constructor(forgetEvery: number) {
    this.#forgetEvery = forgetEvery;
  }

  /** Share of the incoming image that has arrived, from 0 (none is coming) to 1. */
  get arrivedShare(): number {
    return this.#total === 0 ? 0 : this.#pieces.size / this.#total;
  }

  take(serial: number, { total, number }: PartNumber, bytes: Uint8Array): PackageStep {
    const firstSerial = (serial - number + 1) & 0xffff;
    if (total !== this.#total || firstSerial !== this.#firstSerial) this.#begin(total, firstSerial);
    if (this.#forgets(number)) this.#forgotten.add(number);
    else this.#pieces.set(number, bytes);
    this.#asked.delete(number);
    this.#hasLast ||= number === total;
    if (this.#pieces.size === total) return { kind: 'complete', body: this.#join() };
    if (!this.#hasLast || this.#asked.size > 0) return { kind: 'more' };
    return { kind: 'missing', firstSerial, numbers: this.#ask() };
  }

  #begin(total: number, firstSerial: number): void {
    this.#pieces = new Map();
    this.#forgotten = new Set();
    this.#asked = new Set();
    this.#total = total;
    this.#firstSerial = firstSerial;
    this.#hasLast = false;
  }

  #forgets(number: number): boolean {
    const every = this.#forgetEvery;
    return every > 0 && number % every === 0 && number !== this.#total && !this.#forgotten.has(number);
  }

  #ask(): number[] {
    const missing: number[] = [];
    for (let number = 1; number <= this.#total && missing.length < MAX_ASKED; number++) {
      if (!this.#pieces.has(number)) missing.push(number);
    }
    this.#asked = new Set(missing);
    return missing;
  }

  #join(): Uint8Array {
    const pieces = Array.from({ length: this.#total }, (_, index) => this.#pieces.get(index + 1) ?? new Uint8Array(0));
    this.#begin(0, -1);
    return Buffer.concat(pieces);
  }
}

/** Reads the body of 0x8108, whose manufacturer has 5 or 11 bytes. Undefined if its length differs from the stated one. */
export function readImage(body: Uint8Array, manufacturerBytes: 5 | 11): ArrivedImage | undefined {
  const versionAt = 2 + manufacturerBytes;
  const versionBytes = body[versionAt - 1] ?? 0;
  const dataAt = versionAt + versionBytes + 4;
  if (body.length < dataAt) return undefined;
  const dataBytes = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(dataAt - 4);
  if (body.length !== dataAt + dataBytes) return undefined;
  const version = decodeGbk(body.subarray(versionAt, versionAt + versionBytes));
  return { type: body[0] ?? 0, version, data: body.subarray(dataAt) };
}
