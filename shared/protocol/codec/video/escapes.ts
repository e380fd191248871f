/**
 * The unit without its emulation prevention bytes (ITU-T H.264, 7.4.1): a byte 3 behind two zeros, which keeps a start code from
 * appearing inside. A view of the same bytes where there is none.
 */
export function removeEscapes(unit: Uint8Array): Uint8Array {
  const isEscape = (at: number): boolean => unit[at] === 3 && unit[at - 1] === 0 && unit[at - 2] === 0;
  if (!unit.some((_, at) => isEscape(at))) return unit;
  const plain = new Uint8Array(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    plain[length++] = byte;
  }
  return plain.subarray(0, length);
}
