// The part of FLV that the bench needs: its header, the tag with the decoder's configuration, and one tag a frame.

export interface FlvClip {
  /** File header and everything up to the first frame: metadata and configuration. */
  readonly preamble: Uint8Array;
  /** Whole tags with their trailing size, one a frame. */
  readonly frameTags: readonly Uint8Array[];
  /** The same frames as Annex B, key frames with their parameter sets in front. */
  readonly accessUnits: readonly Uint8Array<ArrayBuffer>[];
  readonly isKey: readonly boolean[];
  /** When each frame is shown after the first, milliseconds. */
  readonly shownMs: readonly number[];
}

const FILE_HEADER_BYTES = 13;
const TAG_HEADER_BYTES = 11;
const TAG_TRAILER_BYTES = 4;
/** Frame type and codec, packet type, composition time. */
const VIDEO_HEADER_BYTES = 5;
const COMPOSITION_TIME_OFFSET = 2;
/** The lower three bytes of a tag's time; clips are shorter than what they hold. */
const TIME_OFFSET = 4;
const VIDEO_TAG = 9;
const START_CODE = [0, 0, 0, 1];

export function parseFlv(file: Uint8Array): FlvClip {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const preamble: Uint8Array[] = [file.subarray(0, FILE_HEADER_BYTES)];
  const frameTags: Uint8Array[] = [];
  const accessUnits: Uint8Array<ArrayBuffer>[] = [];
  const isKey: boolean[] = [];
  const shownMs: number[] = [];
  let parameterSets: number[] = [];
  for (let at = FILE_HEADER_BYTES; at + TAG_HEADER_BYTES < file.length; ) {
    const dataBytes = view.getUint32(at) & 0xffffff;
    const end = at + TAG_HEADER_BYTES + dataBytes + TAG_TRAILER_BYTES;
    const tag = file.subarray(at, end);
    const data = file.subarray(at + TAG_HEADER_BYTES, end - TAG_TRAILER_BYTES);
    const isFrame = tag[0] === VIDEO_TAG && data[1] === 1;
    if (isFrame) {
      const key = (data[0] ?? 0) >> 4 === 1;
      frameTags.push(tag);
      isKey.push(key);
      shownMs.push(threeBytes(tag, TIME_OFFSET) + threeBytes(data, COMPOSITION_TIME_OFFSET));
      accessUnits.push(toAnnexB(data.subarray(VIDEO_HEADER_BYTES), key ? parameterSets : []));
    } else if (frameTags.length === 0) {
      preamble.push(tag);
      if (tag[0] === VIDEO_TAG && data[1] === 0) parameterSets = readParameterSets(data.subarray(VIDEO_HEADER_BYTES));
    }
    at = end;
  }
  const [firstMs = 0] = shownMs;
  const fromFirst = shownMs.map((atMs) => atMs - firstMs);
  return { preamble: Buffer.concat(preamble), frameTags, accessUnits, isKey, shownMs: fromFirst };
}

function threeBytes(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

/** Replaces the length prefixes of the units with start codes. */
function toAnnexB(sample: Uint8Array, prefix: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(prefix.length + sample.length);
  bytes.set(prefix);
  bytes.set(sample, prefix.length);
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  for (let at = 0; at + 4 <= sample.length; at += 4 + view.getUint32(at)) bytes.set(START_CODE, prefix.length + at);
  return bytes;
}

/** The SPS and PPS of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15), each after a start code. */
function readParameterSets(record: Uint8Array): number[] {
  const sets: number[] = [];
  let at = 5;
  for (const countMask of [0x1f, 0xff]) {
    const count = (record[at++] ?? 0) & countMask;
    for (let index = 0; index < count; index++) {
      const length = ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
      sets.push(...START_CODE, ...record.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return sets;
}
