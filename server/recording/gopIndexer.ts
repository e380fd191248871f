// Builds a segment's index from its packets in file order: as they are written, or as they are scanned.
import { crc32 } from 'node:zlib';
import { isReferencePicture, recoveryFramesIn } from '../../shared/protocol/codec/video/recoveryPoint.ts';
import { PACKET_HEADER_BYTES, type PacketHeader, PacketKind } from '../../shared/protocol/stream/streamPacket.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { PictureSteps } from '../media/pictureSteps.ts';
import { MAX_RECOVERY_MS, type SegmentEnd, type SegmentGroup } from './segmentFormat.ts';

export interface IndexedPacket {
  readonly header: PacketHeader;
  /** Header and payload. */
  readonly bytes: Uint8Array;
}

interface OpenGroup {
  readonly group: Omit<SegmentGroup, 'bytes' | 'durationMs' | 'checksum'>;
  bytes: number;
  checksum: number;
  /** Pictures before the first gap in the group's times. */
  pictures: number;
  /** Latest time among them. */
  lastMediaUs: number;
  hasHole: boolean;
  lastDeviceMs: WallMs;
  recovery: Recovery | undefined;
}

/** How long pictures are not right, of a group from which gradual refresh begins. */
interface Recovery {
  readonly frames: number;
  /** Pictures that others refer to, by which frames are counted. */
  references: number;
}

/** What a picture lasts when there is only one: that of 25 a second. */
const DEFAULT_PICTURE_MS = 40;
const MAX_PICTURE_MS = 1_000;

export class GopIndexer {
  #offset: number;
  #open: OpenGroup | undefined;
  #formatOffset: number | undefined;
  /** Packets before the first key frame, which belong to its group. */
  #leadBytes = 0;
  #leadChecksum = 0;
  #pictureMs = DEFAULT_PICTURE_MS;
  readonly #steps: PictureSteps;
  #groupCount: number;

  /**
   * Continues after known groups with the sound format in force there, or starts an empty segment. `steps` has the picture
   * interval learned from earlier segments of the camera.
   */
  constructor(known: readonly SegmentGroup[] = [], formatOffset?: number, steps = new PictureSteps()) {
    this.#steps = steps;
    const last = known.at(-1);
    this.#offset = last === undefined ? 0 : last.offset + last.bytes;
    this.#formatOffset = formatOffset ?? last?.formatOffset;
    this.#groupCount = known.length;
  }

  /** Bytes up to the end of the packet added last. */
  get bytes(): number {
    return this.#offset;
  }

  /** The group that is still open, as it is by now; undefined before the first key frame. */
  get current(): SegmentGroup | undefined {
    return this.#open && closed(this.#open, this.#spanMs(this.#open));
  }

  /** Whether pictures are missing before a key frame, judged by its time and the times before it. */
  isBehindHole({ mediaTimeUs }: PacketHeader): boolean {
    return this.#open?.hasHole === true || this.#steps.isBehindHole(mediaTimeUs / 1000);
  }

  /** Adds a packet. A key frame, given with its wall time, ends the group before it, which is returned. */
  add({ header, bytes }: IndexedPacket, keyWallMs: number): SegmentGroup | undefined {
    const isKey = header.kind === PacketKind.Video && header.key;
    const ended = isKey ? this.#begin(header, bytes, wallMs(Math.round(keyWallMs))) : undefined;
    if (!isKey) this.#note(header, bytes);
    this.#offset += bytes.byteLength;
    return ended;
  }

  /**
   * The last group and how the segment ends; undefined when no key frame was added. `nextWallMs` is where the next
   * picture is shown, when one follows without a break.
   */
  finish(nextWallMs?: number): { readonly group: SegmentGroup; readonly end: SegmentEnd } | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    const spanMs = nextWallMs === undefined ? this.#spanMs(open) : Math.round(nextWallMs) - open.group.wallTimeMs;
    const group = closed(open, Math.max(0, spanMs));
    const endMs = wallMs(group.wallTimeMs + group.durationMs);
    this.#open = undefined;
    return { group, end: { bytes: this.#offset, endMs, deviceEndMs: open.lastDeviceMs, groupCount: this.#groupCount } };
  }

  #begin(header: PacketHeader, bytes: Uint8Array, wallTimeMs: WallMs): SegmentGroup | undefined {
    const before = this.#open;
    const spanMs = before === undefined ? 0 : this.#spanMs(before);
    const isBehindHole = this.#steps.next(header.mediaTimeUs / 1000, true) || before?.hasHole === true;
    // A gap isn't part of the group before it.
    const ended = before && closed(before, isBehindHole ? spanMs : Math.max(0, wallTimeMs - before.group.wallTimeMs));
    const leadBytes = before === undefined ? this.#leadBytes : 0;
    const group = {
      offset: this.#offset - leadBytes,
      keyOffset: this.#offset,
      keyBytes: bytes.byteLength,
      formatOffset: this.#formatOffset,
      mediaTimeUs: header.mediaTimeUs,
      wallTimeMs,
      deviceTimeMs: header.deviceTimeMs,
      keyChecksum: crc32(bytes),
      isDamaged: false,
    };
    const checksum = leadBytes > 0 ? crc32(bytes, this.#leadChecksum) : group.keyChecksum;
    const times = { lastMediaUs: header.mediaTimeUs, lastDeviceMs: header.deviceTimeMs };
    const recovery = recoveryOf(header, bytes);
    this.#open = {
      group,
      bytes: leadBytes + bytes.byteLength,
      checksum,
      pictures: 1,
      hasHole: false,
      recovery,
      ...times,
    };
    this.#groupCount++;
    return ended;
  }

  #note(header: PacketHeader, bytes: Uint8Array): void {
    // The only events of a live stream are those that say what the sound is.
    if (header.kind === PacketKind.Event) this.#formatOffset = this.#offset;
    const open = this.#open;
    if (open === undefined) {
      this.#leadBytes += bytes.byteLength;
      this.#leadChecksum = crc32(bytes, this.#leadChecksum);
      return;
    }
    open.bytes += bytes.byteLength;
    open.checksum = crc32(bytes, open.checksum);
    if (header.kind !== PacketKind.Video) return;
    open.lastDeviceMs = header.deviceTimeMs;
    if (this.#steps.next(header.mediaTimeUs / 1000, false)) open.hasHole = true;
    // Leading pictures are shown before the group begins.
    if (open.hasHole || header.mediaTimeUs < open.group.mediaTimeUs) return;
    open.pictures++;
    if (open.recovery !== undefined && isReferencePicture(bytes.subarray(PACKET_HEADER_BYTES)))
      open.recovery.references++;
    open.lastMediaUs = Math.max(open.lastMediaUs, header.mediaTimeUs);
  }

  /** From the key frame to the end of the last picture, or of the last one before a hole. */
  #spanMs({ group, pictures, lastMediaUs }: OpenGroup): number {
    const betweenMs = (lastMediaUs - group.mediaTimeUs) / 1000;
    if (pictures > 1) this.#pictureMs = Math.min(betweenMs / (pictures - 1), MAX_PICTURE_MS);
    return Math.round(betweenMs + this.#pictureMs);
  }
}

function recoveryOf({ dependence }: PacketHeader, bytes: Uint8Array): Recovery | undefined {
  if (dependence !== 'recovering') return undefined;
  return { frames: recoveryFramesIn(bytes.subarray(PACKET_HEADER_BYTES)) ?? 0, references: 1 };
}

function closed({ group, bytes, checksum, recovery }: OpenGroup, durationMs: number): SegmentGroup {
  const whole = { ...group, bytes, checksum, durationMs };
  if (recovery === undefined) return whole;
  // A frame more: intervals vary, and the picture that is right is shown until the next.
  const recoveryMs = Math.ceil(((recovery.frames + 1) * Math.max(durationMs, 1)) / recovery.references);
  return { ...whole, recoveryMs: Math.min(recoveryMs, MAX_RECOVERY_MS) };
}
