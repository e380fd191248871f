// A packet of a recording on its way to a viewer: the stored bytes, placed on the recorder's time line.
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import {
  type Dependence,
  PacketKind,
  readPacket,
  type StreamPacket,
  setMediaTime,
} from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs } from '../../../shared/protocol/time.ts';
import type { SegmentGroup } from '../segmentFormat.ts';

export interface RecordedPacket {
  readonly kind: 'video' | 'audio' | 'format';
  readonly isKey: boolean;
  /** For a picture: how it depends on the group before. */
  readonly dependence?: Dependence | undefined;
  /** Time of display, microseconds since the epoch on the recorder's time line. */
  readonly timeUs: number;
  /** The whole packet; its header's media time is `timeUs`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PlacedPackets {
  readonly packets: readonly RecordedPacket[];
  /** Bytes of whole packets; after them one is cut short. */
  readonly consumedBytes: number;
  /** The bytes after these are not packets. */
  readonly isDamaged: boolean;
}

/** Reads the whole packets of a group's bytes and places them. Writes the times into `bytes`, which the caller must own. */
export function placePackets(bytes: Uint8Array<ArrayBuffer>, group: SegmentGroup): PlacedPackets {
  const packets: RecordedPacket[] = [];
  let offset = 0;
  for (;;) {
    const read = readPacket(bytes, offset);
    if (read.kind !== 'packet') return { packets, consumedBytes: offset, isDamaged: read.kind === 'bad' };
    const placed = placePacket(read.packet, bytes.subarray(offset, read.nextOffset), group);
    if (placed !== undefined) packets.push(placed);
    offset = read.nextOffset;
  }
}

/** Undefined for a packet that playback doesn't need. */
function placePacket(
  packet: StreamPacket,
  bytes: Uint8Array<ArrayBuffer>,
  group: SegmentGroup,
): RecordedPacket | undefined {
  const kind = kindOf(packet);
  if (kind === undefined) return undefined;
  const timeUs = group.wallTimeMs * 1000 + (packet.mediaTimeUs - group.mediaTimeUs);
  setMediaTime(bytes, mediaUs(timeUs));
  return { kind, isKey: kind === 'video' && packet.key, dependence: packet.dependence, timeUs, bytes };
}

function kindOf(packet: StreamPacket): RecordedPacket['kind'] | undefined {
  switch (packet.kind) {
    case PacketKind.Video:
      return 'video';
    case PacketKind.Audio:
      return 'audio';
    case PacketKind.Event:
      return parseStreamEvent(packet.payload)?.type === 'format' ? 'format' : undefined;
    default:
      return undefined;
  }
}
