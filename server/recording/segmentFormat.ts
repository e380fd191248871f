// The sidecar of a segment: the places, times and checksums of its groups of pictures. Pure. Layout and reasons: docs/recording.md.
import { crc32 } from 'node:zlib';
import { numberOfSegmentOrigin, type SegmentOrigin, segmentOriginOf } from '../../shared/protocol/segmentOrigins.ts';
import { type MediaUs, mediaUs, type WallMs, wallMs } from '../../shared/protocol/time.ts';

/** One group of pictures: from one key frame up to the next. Groups follow one another without a gap. */
export interface SegmentGroup {
  /** First byte of the group in the segment. The first group may begin with a `format` event before its key frame. */
  readonly offset: number;
  readonly bytes: number;
  /** The key frame's packet, header included. */
  readonly keyOffset: number;
  readonly keyBytes: number;
  /** Offset of the `format` event that applies at the key frame; undefined without sound. */
  readonly formatOffset: number | undefined;
  /** Media time of the key frame. A packet's wall time is `wallTimeMs + (its media time - mediaTimeUs) / 1000`. */
  readonly mediaTimeUs: MediaUs;
  /** Time of the key frame on the gateway's clock. */
  readonly wallTimeMs: WallMs;
  /** Time on the device's own clock; 0 when unknown. */
  readonly deviceTimeMs: WallMs;
  /** Time until the next group begins, or until the last picture ends. */
  readonly durationMs: number;
  /**
   * Time from the key frame to where pictures are correct for a decoder that begins with the group, estimated upwards; it may lie
   * after the group's end. Missing: they are correct from the key frame on.
   */
  readonly recoveryMs?: number;
  /** CRC-32 of the whole group, and of its key frame's packet alone. */
  readonly checksum: number;
  readonly keyChecksum: number;
  /** Some of its bytes were found not to be packets when the sidecar was made again: it cannot be played. */
  readonly isDamaged: boolean;
}

/** The end of a segment. A segment without one is still being written, or its writer was killed. */
export interface SegmentEnd {
  readonly bytes: number;
  readonly endMs: WallMs;
  /** The device's clock at the last picture; 0 when unknown. */
  readonly deviceEndMs: WallMs;
  readonly groupCount: number;
}

export interface SegmentIndex {
  readonly startMs: WallMs;
  readonly groups: readonly SegmentGroup[];
  readonly end: SegmentEnd | undefined;
  /** Missing: live. */
  readonly origin?: SegmentOrigin;
}

export type SidecarRead =
  | {
      readonly kind: 'read';
      readonly index: SegmentIndex /** Bytes after this are no whole record. */;
      readonly intactBytes: number;
    }
  | { readonly kind: 'bad' };

export const SIDECAR_HEADER_BYTES = 16;
export const SIDECAR_RECORD_BYTES = 64;
const MAGIC = 0x46_47_49_58; // "FGIX"
const VERSION = 1;
const RecordKind = { Group: 1, End: 2 } as const;
const DAMAGED_FLAG = 1;
/** The largest number in its two bytes. The format's first versions left them 0. */
export const MAX_RECOVERY_MS = 0xffff;
const NO_OFFSET = 0xffff_ffff;
const CHECKED_BYTES = SIDECAR_RECORD_BYTES - 4;

/** Offsets are 32 bits wide. */
export const MAX_SEGMENT_BYTES = 1024 * 1024 * 1024;

export function encodeSidecarHeader(startMs: WallMs, origin?: SegmentOrigin): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SIDECAR_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint8(4, VERSION);
  view.setUint8(5, numberOfSegmentOrigin(origin));
  view.setBigInt64(8, BigInt(startMs));
  return bytes;
}

export function encodeGroup(group: SegmentGroup): Uint8Array<ArrayBuffer> {
  const { bytes, view } = newRecord(RecordKind.Group);
  view.setUint8(1, group.isDamaged ? DAMAGED_FLAG : 0);
  view.setUint16(2, Math.min(group.recoveryMs ?? 0, MAX_RECOVERY_MS));
  view.setUint32(4, group.offset);
  view.setUint32(8, group.bytes);
  view.setUint32(12, group.keyOffset);
  view.setUint32(16, group.keyBytes);
  view.setUint32(20, group.formatOffset ?? NO_OFFSET);
  view.setBigInt64(24, BigInt(group.mediaTimeUs));
  view.setBigInt64(32, BigInt(group.wallTimeMs));
  view.setBigInt64(40, BigInt(group.deviceTimeMs));
  view.setUint32(48, group.durationMs);
  view.setUint32(52, group.checksum);
  view.setUint32(56, group.keyChecksum);
  return sealed(bytes, view);
}

export function encodeEnd(end: SegmentEnd): Uint8Array<ArrayBuffer> {
  const { bytes, view } = newRecord(RecordKind.End);
  view.setUint32(4, end.bytes);
  view.setUint32(8, end.groupCount);
  view.setBigInt64(32, BigInt(end.endMs));
  view.setBigInt64(40, BigInt(end.deviceEndMs));
  return sealed(bytes, view);
}

/** A whole sidecar. */
export function encodeSidecar({ startMs, groups, end, origin }: SegmentIndex): Uint8Array<ArrayBuffer> {
  const records = [...groups.map(encodeGroup), ...(end === undefined ? [] : [encodeEnd(end)])];
  const bytes = new Uint8Array(SIDECAR_HEADER_BYTES + records.length * SIDECAR_RECORD_BYTES);
  bytes.set(encodeSidecarHeader(startMs, origin));
  records.forEach((record, at) => {
    bytes.set(record, SIDECAR_HEADER_BYTES + at * SIDECAR_RECORD_BYTES);
  });
  return bytes;
}

/** Reads up to the first record that is cut short, fails its checksum or does not follow the one before. Never throws. */
export function decodeSidecar(bytes: Uint8Array): SidecarRead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < SIDECAR_HEADER_BYTES) return { kind: 'bad' };
  if (view.getUint32(0) !== MAGIC || view.getUint8(4) !== VERSION) return { kind: 'bad' };
  const startMs = wallMs(Number(view.getBigInt64(8)));
  const origin = segmentOriginOf(view.getUint8(5));
  const header = origin === 'live' ? { startMs } : { startMs, origin };
  const groups: SegmentGroup[] = [];
  let end: SegmentEnd | undefined;
  let at = SIDECAR_HEADER_BYTES;
  for (; end === undefined && at + SIDECAR_RECORD_BYTES <= bytes.byteLength; at += SIDECAR_RECORD_BYTES) {
    const record = bytes.subarray(at, at + SIDECAR_RECORD_BYTES);
    const group = decodeGroup(record);
    if (group !== undefined && follows(group, groups.at(-1))) groups.push(group);
    else end = decodeEnd(record);
    if (group === undefined && end === undefined) break;
    if (end !== undefined && !fits(end, groups))
      return { kind: 'read', index: { ...header, groups, end: undefined }, intactBytes: at };
  }
  return { kind: 'read', index: { ...header, groups, end }, intactBytes: at };
}

function follows(group: SegmentGroup, before: SegmentGroup | undefined): boolean {
  return group.offset === (before === undefined ? 0 : before.offset + before.bytes);
}

function fits(end: SegmentEnd, groups: readonly SegmentGroup[]): boolean {
  const last = groups.at(-1);
  return end.groupCount === groups.length && end.bytes === (last === undefined ? 0 : last.offset + last.bytes);
}

function newRecord(kind: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly view: DataView } {
  const bytes = new Uint8Array(SIDECAR_RECORD_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  return { bytes, view };
}

function sealed(bytes: Uint8Array<ArrayBuffer>, view: DataView): Uint8Array<ArrayBuffer> {
  view.setUint32(CHECKED_BYTES, crc32(bytes.subarray(0, CHECKED_BYTES)));
  return bytes;
}

function intactView(record: Uint8Array, kind: number): DataView | undefined {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if (view.getUint8(0) !== kind || view.getUint32(CHECKED_BYTES) !== crc32(record.subarray(0, CHECKED_BYTES))) {
    return undefined;
  }
  return view;
}

function decodeGroup(record: Uint8Array): SegmentGroup | undefined {
  const view = intactView(record, RecordKind.Group);
  if (view === undefined) return undefined;
  const formatOffset = view.getUint32(20);
  const recoveryMs = view.getUint16(2);
  return {
    offset: view.getUint32(4),
    bytes: view.getUint32(8),
    keyOffset: view.getUint32(12),
    keyBytes: view.getUint32(16),
    formatOffset: formatOffset === NO_OFFSET ? undefined : formatOffset,
    mediaTimeUs: mediaUs(Number(view.getBigInt64(24))),
    wallTimeMs: wallMs(Number(view.getBigInt64(32))),
    deviceTimeMs: wallMs(Number(view.getBigInt64(40))),
    durationMs: view.getUint32(48),
    checksum: view.getUint32(52),
    keyChecksum: view.getUint32(56),
    isDamaged: (view.getUint8(1) & DAMAGED_FLAG) !== 0,
    ...(recoveryMs > 0 && { recoveryMs }),
  };
}

function decodeEnd(record: Uint8Array): SegmentEnd | undefined {
  const view = intactView(record, RecordKind.End);
  if (view === undefined) return undefined;
  return {
    bytes: view.getUint32(4),
    groupCount: view.getUint32(8),
    endMs: wallMs(Number(view.getBigInt64(32))),
    deviceEndMs: wallMs(Number(view.getBigInt64(40))),
  };
}

/** The group that plays at a moment: the last that has begun by then, or the first. Undefined without groups. */
export function groupAt(groups: readonly SegmentGroup[], atMs: number): number | undefined {
  if (groups.length === 0) return undefined;
  let low = 0;
  let high = groups.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((groups[middle]?.wallTimeMs ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
