// Determines the type of a file by its first bytes and nothing else. Pure.

import { NalType, splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { parseSps } from '../../../shared/protocol/codec/video/sps.ts';
import { hasMagic } from '../../device/jt808/codec/streamMagic.ts';
import { probePacket } from '../../device/jt1078/codec/packet.ts';
import { HevcNalType, hevcTypeOf } from '../../media/h265/nalTypes.ts';

type FileKind = 'mp4' | 'h264' | 'h265' | 'jt1078' | 'mpeg-ps';

/** Makers put a header of their own in front of some files; the start is searched after it. */
export const HEAD_BYTES = 256 * 1024;
const MAX_LEAD_BYTES = 64 * 1024;

const MP4_BOXES: ReadonlySet<string> = new Set([
  'ftyp',
  'styp',
  'moov',
  'moof',
  'mdat',
  'free',
  'skip',
  'wide',
  'sidx',
]);
const PACK_START = Uint8Array.of(0, 0, 1, 0xba);

export interface Recognised {
  readonly kind: FileKind;
  /** Offset of its beginning. */
  readonly offset: number;
}

export function recognise(head: Uint8Array): Recognised | undefined {
  if (MP4_BOXES.has(textAt(head, 4))) return { kind: 'mp4', offset: 0 };
  const packAt = indexOf(head, PACK_START);
  if (packAt === 0) return { kind: 'mpeg-ps', offset: 0 };
  const mediaAt = firstMediaPacket(head);
  if (mediaAt === 0) return { kind: 'jt1078', offset: 0 };
  const raw = rawKind(head);
  if (raw !== undefined) return { kind: raw, offset: 0 };
  if (packAt !== undefined) return { kind: 'mpeg-ps', offset: packAt };
  return mediaAt === undefined ? undefined : { kind: 'jt1078', offset: mediaAt };
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function indexOf(head: Uint8Array, wanted: Uint8Array): number | undefined {
  const at = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, MAX_LEAD_BYTES)).indexOf(wanted);
  return at < 0 ? undefined : at;
}

/** Two packets in a row at the distance of their length: four bytes alone occur in any file. */
function firstMediaPacket(head: Uint8Array): number | undefined {
  for (let at = 0; at < Math.min(head.length, MAX_LEAD_BYTES); at++) {
    if (head[at] !== 0x30 || !hasMagic(head, at)) continue;
    for (const width of [6, 10] as const) {
      const probe = probePacket(head, at, width);
      if (probe.ok && hasMagic(head, at + probe.headerBytes + probe.bodyBytes)) return at;
    }
  }
  return undefined;
}

/** Decides by the parameter sets. A unit of one codec may look like one of the other, a complete set doesn't. */
function rawKind(head: Uint8Array): 'h264' | 'h265' | undefined {
  const units = splitNalUnits(head);
  const hasHevcSet = (type: number): boolean =>
    units.some((unit) => unit.bytes[1] === 1 && (unit.bytes[0] ?? 0) < 0x80 && hevcTypeOf(unit) === type);
  if (hasHevcSet(HevcNalType.Vps) && hasHevcSet(HevcNalType.Sps)) return 'h265';
  const isAvc = units.some(({ type, bytes }) => type === NalType.Sps && parseSps(bytes) !== undefined);
  return isAvc ? 'h264' : undefined;
}
