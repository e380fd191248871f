// Finds NAL units in an Annex B access unit without copying or walking all of it.

/** Where a codec keeps the type of a NAL unit, and which types say what. */
export interface NalSyntax {
  readonly typeOf: (header: number) => number;
  readonly spsType: number;
  /** Slices; parameter sets stand before them. */
  readonly isSlice: (type: number) => boolean;
}

export const H264_NAL: NalSyntax = {
  typeOf: (header) => header & 0x1f,
  spsType: 7,
  isSlice: (type) => type >= 1 && type <= 5,
};

export const H265_NAL: NalSyntax = {
  typeOf: (header) => (header >> 1) & 0x3f,
  spsType: 33,
  isSlice: (type) => type <= 31,
};

/** The first sequence parameter set, from its NAL header on; a view. Undefined when there is none. */
export function findSps(
  accessUnit: Uint8Array,
  { typeOf, spsType, isSlice }: NalSyntax = H264_NAL,
): Uint8Array | undefined {
  for (
    let start = nextStartCode(accessUnit, 0);
    start < accessUnit.length;
    start = nextStartCode(accessUnit, start + 3)
  ) {
    const type = typeOf(accessUnit[start + 3] ?? 0);
    if (type === spsType) return accessUnit.subarray(start + 3, endOfUnit(accessUnit, start + 3));
    // A slice: the rest of the unit, nearly all of its bytes, needs no look.
    if (isSlice(type)) return undefined;
  }
  return undefined;
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
