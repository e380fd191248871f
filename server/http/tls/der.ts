// The few pieces of DER (X.690) that a certificate is written with.

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const setOf = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
/** A bit string of whole bytes, or with some bits of the last byte unused. */
export const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes);
export const truth = (): Buffer => der(0x01, Buffer.from([0xff]));
/** Context-specific and constructed, such as the version's [0]. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer => der(0xa0 | number, ...parts);
/** Context-specific and primitive, such as a name's [2]. */
export const tagged8 = (number: number, bytes: Uint8Array): Buffer => der(0x80 | number, bytes);

/** A whole number that is not negative, big-endian. */
export function unsigned(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const trimmed = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const sign = (trimmed[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0);
  return der(0x02, sign, trimmed);
}

/** An object identifier, `1.2.840.10045.4.3.2`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** UTC to the second; the form with the two-digit year is for years before 2050 only, which X.509 insists on. */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const short = Number(text.slice(0, 4)) < 2050;
  return short ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}
