// H.264 byte streams (ITU-T H.264, annex B): where the NAL units lie and what they are.

export const NalType = { Slice: 1, PartitionA: 2, Idr: 5, Sei: 6, Sps: 7, Pps: 8, AccessUnitDelimiter: 9 } as const;

export interface NalUnit {
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

/** Joins units with four-byte start codes: a three-byte one behind a zero byte is read as part of the unit before by some. */
export function joinNalUnits(units: readonly NalUnit[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(units.reduce((total, unit) => total + 4 + unit.bytes.length, 0));
  let offset = 0;
  for (const unit of units) {
    joined[offset + 3] = 1;
    joined.set(unit.bytes, offset + 4);
    offset += 4 + unit.bytes.length;
  }
  return joined;
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
