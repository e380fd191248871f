// Byte streams of NAL units (ITU-T H.264 and H.265, annex B): where the units lie and what those of H.264 are.

export const NalType = { Slice: 1, PartitionA: 2, Idr: 5, Sei: 6, Sps: 7, Pps: 8, AccessUnitDelimiter: 9 } as const;

export interface NalUnit {
  /** nal_unit_type of H.264. */
  readonly type: number;
  /** From the NAL header on, without start code and trailing zeros. A view. */
  readonly bytes: Uint8Array;
}

/** The NAL units of an access unit in order. Bytes before the first start code are no unit. */
export function splitNalUnits(accessUnit: Uint8Array): NalUnit[] {
  const units: NalUnit[] = [];
  let start = findStartCode(accessUnit, 0);
  while (start < accessUnit.length) {
    const bodyStart = start + 3;
    const next = findStartCode(accessUnit, bodyStart);
    const bytes = accessUnit.subarray(bodyStart, trimZeros(accessUnit, bodyStart, next));
    const header = bytes[0];
    if (header !== undefined) units.push({ type: header & 0x1f, bytes });
    start = next;
  }
  return units;
}

/** Four bytes long: after a zero byte, some decoders read one of three bytes as part of the unit before. */
const START_CODE = Uint8Array.of(0, 0, 0, 1);

/** The units, each after a start code, as parts that the caller joins if it needs one stream. */
export function withStartCodes(units: readonly NalUnit[]): Uint8Array[] {
  return units.flatMap(({ bytes }) => [START_CODE, bytes]);
}

/** Index of the next 00 00 01, or the length when there is none. */
function findStartCode(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(1, from + 2); at >= 0; at = bytes.indexOf(1, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return at - 2;
  }
  return bytes.length;
}

/** The end of a unit: zeros before the next start code belong to that code or are filling. */
function trimZeros(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && bytes[end - 1] === 0) end--;
  return end;
}
