// The magic number with which media packets (JT/T 1078) and blocks of file data (T/JSATL 12) begin.
export const MAGIC = 0x30316364;
export const MAGIC_BYTES = 4;
export const MAGIC_FIRST_BYTE = 0x30;
const DIGITS = [MAGIC_FIRST_BYTE, 0x31, 0x63, 0x64] as const;

/** Whether the magic number stands at `at`; false as well where fewer than four bytes are left. */
export function hasMagic(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x30 && bytes[at + 1] === 0x31 && bytes[at + 2] === 0x63 && bytes[at + 3] === 0x64;
}

/** Whether the bytes end at `at` or behind it, with nothing but a beginning of the magic number from there on. */
export function isCutMagic(bytes: Uint8Array, at: number): boolean {
  const left = bytes.length - at;
  return left < MAGIC_BYTES && DIGITS.every((byte, index) => index >= left || bytes[at + index] === byte);
}

/** Where the magic number or, at the end, a beginning of it stands at or after `at`; the length where nowhere. */
export function magicFrom(bytes: Uint8Array, at: number): number {
  for (
    let found = bytes.indexOf(MAGIC_FIRST_BYTE, at);
    found >= 0;
    found = bytes.indexOf(MAGIC_FIRST_BYTE, found + 1)
  ) {
    if (hasMagic(bytes, found) || isCutMagic(bytes, found)) return found;
  }
  return bytes.length;
}
