// Pictures in the form of MP4 files: units with lengths in front, parameter sets apart. Pure and total.
import type { FileCodec } from './streamBuilder.ts';

export interface PictureSets {
  /** Size of the length in front of each unit. */
  readonly lengthBytes: number;
  /** The parameter sets. */
  readonly annexB: Uint8Array;
}

const START_CODE = Uint8Array.of(0, 0, 0, 1);
const AVC_LISTS_AT = 5;
const HEVC_LENGTH_AT = 21;
const HEVC_ARRAYS_AT = 22;

/** ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1. Undefined without a configuration: the pictures are Annex B then. */
export function readPictureSets(codec: FileCodec, configuration: Uint8Array | undefined): PictureSets | undefined {
  if (configuration === undefined || configuration.byteLength <= AVC_LISTS_AT) return undefined;
  const lengthBytes = ((configuration[codec === 'h264' ? 4 : HEVC_LENGTH_AT] ?? 3) & 3) + 1;
  const units = codec === 'h264' ? avcUnits(configuration) : hevcUnits(configuration);
  return { lengthBytes, annexB: Buffer.concat(units.flatMap((unit) => [START_CODE, unit])) };
}

/** The units of a sample; data after a wrong length are left out. */
export function toAnnexB(sample: Uint8Array, lengthBytes: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at + lengthBytes <= sample.byteLength; ) {
    let length = 0;
    for (let byte = 0; byte < lengthBytes; byte++) length = length * 256 + (sample[at + byte] ?? 0);
    at += lengthBytes;
    if (at + length > sample.byteLength) break;
    if (length > 0) parts.push(START_CODE, sample.subarray(at, at + length));
    at += length;
  }
  return Buffer.concat(parts);
}

function avcUnits(bytes: Uint8Array): Uint8Array[] {
  const sequenceSets = readUnits(bytes, AVC_LISTS_AT + 1, (bytes[AVC_LISTS_AT] ?? 0) & 0x1f);
  const pictureSets = readUnits(bytes, sequenceSets.nextAt + 1, bytes[sequenceSets.nextAt] ?? 0);
  return [...sequenceSets.units, ...pictureSets.units];
}

function hevcUnits(bytes: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  const arrays = bytes[HEVC_ARRAYS_AT] ?? 0;
  let at = HEVC_ARRAYS_AT + 1;
  for (let array = 0; array < arrays && at + 3 <= bytes.length; array++) {
    const read = readUnits(bytes, at + 3, ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0));
    units.push(...read.units);
    at = read.nextAt;
  }
  return units;
}

interface UnitsRead {
  readonly units: readonly Uint8Array[];
  readonly nextAt: number;
}

function readUnits(bytes: Uint8Array, from: number, count: number): UnitsRead {
  const units: Uint8Array[] = [];
  let at = from;
  for (let unit = 0; unit < count && at + 2 <= bytes.length; unit++) {
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    units.push(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return { units, nextAt: at };
}
