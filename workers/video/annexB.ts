// Finds NAL units in an Annex B access unit without copying or walking all of it.

const NAL_TYPE_MASK = 0x1f;
const SPS_TYPE = 7;

/** The first H.264 sequence parameter set, from its NAL header on; a view. Undefined when there is none. */
export function findSps(accessUnit: Uint8Array): Uint8Array | undefined {
  for (
    let start = nextStartCode(accessUnit, 0);
    start < accessUnit.length;
    start = nextStartCode(accessUnit, start + 3)
  ) {
    const type = (accessUnit[start + 3] ?? 0) & NAL_TYPE_MASK;
    if (type === SPS_TYPE) return accessUnit.subarray(start + 3, endOfUnit(accessUnit, start + 3));
    // A slice: parameter sets stand before the picture, so the rest, nearly all of the bytes, need no look.
    if (type >= 1 && type <= 5) return undefined;
  }
  return undefined;
}

/** The unit without its emulation prevention bytes (H.264, 7.4.1). */
export function removeEscapes(unit: Uint8Array): Uint8Array {
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

/** Index of the next 00 00 01, or the length when there is none. */
function nextStartCode(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(1, from + 2); at >= 0; at = bytes.indexOf(1, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return at - 2;
  }
  return bytes.length;
}

/** Zeros before the next start code belong to that code or are filling. */
function endOfUnit(bytes: Uint8Array, from: number): number {
  let end = nextStartCode(bytes, from);
  while (end > from && bytes[end - 1] === 0) end--;
  return end;
}
