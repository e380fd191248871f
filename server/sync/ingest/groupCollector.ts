// Combines packets to groups of pictures, limited in bytes and time. Pure except for its own state.
import { LateEntry } from '../../../shared/protocol/codec/video/lateEntry.ts';
import { type PacketHeader, readPacket, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { createHubPacket } from '../../media/hubPacket.ts';
import { PictureSteps } from '../../media/pictureSteps.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';

/** Size of a group of pictures that was fetched: half a minute of four megabits a second. The rest of a larger group is left out. */
export const GROUP_BYTES_LIMIT: Limit = { name: 'sync.group-bytes.file', max: 16 * 1024 * 1024 };
/**
 * Duration of a group of pictures that was fetched: the recorder's own limit, since playback looks no further back for a moment's group.
 * The rest of a longer group is left out.
 */
export const GROUP_MS_LIMIT: Limit = { name: 'sync.group-ms.file', max: 10 * 60_000 };

export interface TimedPacket {
  readonly packet: WrittenPacket;
  /** Time since the group's key frame. */
  readonly offsetMs: number;
}

export interface CollectedGroup {
  readonly key: Pick<PacketHeader, 'mediaTimeUs' | 'deviceTimeMs'>;
  readonly format: WrittenPacket | undefined;
  /** Packets, beginning with the key frame. */
  readonly packets: readonly TimedPacket[];
  /** Time from the key frame to the end of the last picture. */
  readonly spanMs: number;
}

export interface Collected {
  readonly group: CollectedGroup;
  /** The key frame that follows without a gap: the group lasts until then. */
  readonly next: Pick<PacketHeader, 'mediaTimeUs' | 'deviceTimeMs'> | undefined;
}

/** Duration of a picture when there is only one. */
const DEFAULT_PICTURE_MS = 40;
const MAX_PICTURE_MS = 1_000;

interface Open {
  readonly key: PacketHeader;
  readonly format: WrittenPacket | undefined;
  readonly packets: TimedPacket[];
  bytes: number;
  pictures: number;
  lastMs: number;
  /** The packets that follow belong to no group until the next key frame. */
  isCut: boolean;
}

export class GroupCollector {
  readonly #onLimit: OnLimit | undefined;
  readonly #steps = new PictureSteps();
  #format: WrittenPacket | undefined;
  #open: Open | undefined;
  #pictureMs = DEFAULT_PICTURE_MS;
  #entry = new LateEntry();
  /** Whether gradual refresh begins with the present group. */
  #isRecovering = false;

  constructor(onLimit?: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** Returns the group that the packet ends. */
  push(packet: WrittenPacket): Collected | undefined {
    const read = readPacket(packet.bytes);
    if (read.kind !== 'packet') return undefined;
    const alone = packet.isVideo ? this.#standingAlone(packet, read.packet) : packet;
    if (alone === undefined) return undefined;
    if (alone.isKey) return this.#begin(alone, read.packet);
    if (alone.isFormat === true) this.#format = alone;
    if (this.#open !== undefined && !this.#open.isCut) this.#add(this.#open, alone, read.packet);
    return undefined;
  }

  /**
   * Groups are inserted among others, one by one, so none may refer to the one before: an entry becomes a clean cut. A group that begins
   * with gradual refresh can't become one, and says so: the writer marks it where the previous group isn't before it. Undefined for a
   * picture that is left out.
   */
  #standingAlone(packet: WrittenPacket, picture: StreamPacket): WrittenPacket | undefined {
    const { dependence, key, payload } = picture;
    if (key) this.#isRecovering = dependence === 'recovering';
    // How the pictures before were rewritten doesn't apply to those after a gap.
    if (this.#isRecovering && key && picture.discontinuity) this.#entry = new LateEntry();
    const prepared = this.#entry.take(picture, payload, key && !this.#isRecovering);
    const kept = this.#isRecovering ? dependence : undefined;
    if (prepared?.bytes === payload && dependence === kept) return packet;
    if (prepared !== undefined) return createHubPacket({ ...picture, dependence: kept }, prepared.bytes);
    // The pictures that follow need it, unless it is a leading picture.
    if (dependence !== 'leading' && this.#open !== undefined) this.#open.isCut = true;
    return undefined;
  }

  /** Returns the last group. */
  end(): Collected | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open && { group: this.#close(open), next: undefined };
  }

  #begin(packet: WrittenPacket, header: PacketHeader): Collected | undefined {
    const before = this.#open;
    const isBehindHole = this.#steps.next(header.mediaTimeUs / 1000, true) || header.discontinuity;
    const packets = [{ packet, offsetMs: 0 }];
    const bytes = packet.bytes.byteLength;
    this.#open = { key: header, format: this.#format, packets, bytes, pictures: 1, lastMs: 0, isCut: false };
    if (before === undefined) return undefined;
    return { group: this.#close(before), next: isBehindHole || before.isCut ? undefined : header };
  }

  #add(open: Open, packet: WrittenPacket, header: PacketHeader): void {
    const offsetMs = (header.mediaTimeUs - open.key.mediaTimeUs) / 1000;
    // The pictures after a gap would need a group of their own, and have no key frame for it.
    const isHole = packet.isVideo && (this.#steps.next(header.mediaTimeUs / 1000, false) || header.discontinuity);
    const limit = limitOf(open.bytes + packet.bytes.byteLength, offsetMs);
    if (isHole || limit !== undefined) {
      open.isCut = true;
      if (limit !== undefined) this.#onLimit?.(limit);
      return;
    }
    // Only leading pictures are shown before their key frame.
    if (packet.isVideo && offsetMs < 0 && header.dependence !== 'leading') return;
    open.packets.push({ packet, offsetMs });
    open.bytes += packet.bytes.byteLength;
    if (!packet.isVideo) return;
    open.pictures++;
    open.lastMs = Math.max(open.lastMs, offsetMs);
  }

  #close({ key, format, packets, pictures, lastMs }: Open): CollectedGroup {
    if (pictures > 1) this.#pictureMs = Math.min(lastMs / (pictures - 1), MAX_PICTURE_MS);
    return { key, format, packets, spanMs: lastMs + this.#pictureMs };
  }
}

function limitOf(bytes: number, offsetMs: number): Limit | undefined {
  if (bytes > GROUP_BYTES_LIMIT.max) return GROUP_BYTES_LIMIT;
  return Math.abs(offsetMs) > GROUP_MS_LIMIT.max ? GROUP_MS_LIMIT : undefined;
}
