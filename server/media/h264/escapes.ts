/** Puts a byte 3 behind any two zeros that would begin a start code inside the unit. */
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
