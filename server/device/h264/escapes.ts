// Emulation prevention: a byte 3 behind two zeros keeps a start code from appearing inside a NAL unit.

/** A view of the same bytes where nothing is to be removed. */
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

export function addEscapes(plain: Uint8Array): Uint8Array {
  const unit: number[] = [];
  let zeros = 0;
  for (const byte of plain) {
    if (zeros >= 2 && byte <= 3) {
      unit.push(3);
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    unit.push(byte);
  }
  // A unit must not end in a zero byte.
  if (unit.at(-1) === 0) unit.push(3);
  return Uint8Array.from(unit);
}
