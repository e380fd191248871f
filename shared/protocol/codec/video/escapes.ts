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

/** Puts a byte 3 behind any two zeros that would begin a start code inside the unit. */
export function addEscapes(plain: Uint8Array): Uint8Array<ArrayBuffer> {
  // At most one escape for two bytes, and one at the end.
  const unit = new Uint8Array(plain.length + (plain.length >> 1) + 1);
  let length = 0;
  let zeros = 0;
  for (const byte of plain) {
    if (zeros >= 2 && byte <= 3) {
      unit[length++] = 3;
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    unit[length++] = byte;
  }
  // A unit must not end in a zero byte.
  if (unit[length - 1] === 0 && length > 0) unit[length++] = 3;
  return unit.slice(0, length);
}
