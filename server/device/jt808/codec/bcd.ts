import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';

const HOUR_MS = 3_600_000;
/** Terminals keep China's time in every edition; 0x8004 alone is UTC. */
export const GMT_PLUS_8_MS = 8 * HOUR_MS;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Two digits a byte, high nibble first, lower case. Decimal where the bytes are BCD. */
export function digitsOf(bytes: Uint8Array): string {
  let digits = '';
  for (const byte of bytes) digits += HEX[byte];
  return digits;
}

/** The bytes of an even number of hexadecimal digits. Throws a RangeError for anything else. */
export function bytesOfDigits(digits: string): Uint8Array {
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) throw new RangeError(`not hexadecimal: ${digits}`);
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  );
}

/** `YYMMDDhhmmss` at the given offset from UTC; undefined for zeros, for digits above 9 and for days that do not exist. */
export function timeOfDigits(digits: string, offsetMs: number): WallMs | undefined {
  if (!/^\d{12}$/.test(digits)) return undefined;
  const part = (at: number): number => Number(digits.slice(at, at + 2));
  const local = Date.UTC(2000 + part(0), part(2) - 1, part(4), part(6), part(8), part(10));
  // Date.UTC carries the 31st of February over into March; such a time is damage, not a date.
  return localDigits(local) === digits ? wallMs(local - offsetMs) : undefined;
}

/** Undefined becomes zeros, which the standard reads as "none" or "no limit". */
export function digitsOfTime(time: WallMs | undefined, offsetMs: number): string {
  if (time === undefined) return '000000000000';
  const year = new Date(time + offsetMs).getUTCFullYear();
  if (!(year >= 2000 && year <= 2099)) throw new RangeError(`time ${time} has no two-digit year`);
  return localDigits(time + offsetMs);
}

function localDigits(localMs: number): string {
  return new Date(localMs).toISOString().slice(2, 19).replace(/[-T:]/g, '');
}
