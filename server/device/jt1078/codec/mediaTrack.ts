// State of one medium of one channel while its packets are assembled.
import { Cadence } from './cadence.ts';
import { DataType, type MediaPacket, SubPackage } from './packet.ts';
import type { Count, CountedTrack } from './sequence.ts';

export type TrackMedia = 'video' | 'audio' | 'passthrough';

export const MEDIA_OF = {
  [DataType.I]: 'video',
  [DataType.P]: 'video',
  [DataType.B]: 'video',
  [DataType.Audio]: 'audio',
  [DataType.Passthrough]: 'passthrough',
} as const satisfies Record<DataType, TrackMedia>;

/** The interval value of a packet that states none. */
const UNKNOWN_INTERVAL = 0xffff;

export interface OpenFrame {
  readonly first: MediaPacket;
  buffer: Uint8Array;
  length: number;
  /** The frame was unfinished at a gap that isn't explained yet: it is damaged if its track lost something. */
  isSuspect: boolean;
}

export interface HeldFrame {
  readonly frame: MediaFrame;
  readonly isSuspect: boolean;
}

export interface MediaFrame {
  readonly kind: 'frame';
  readonly channel: number;
  readonly media: 'video' | 'audio';
  /** The data type of the frame's first packet. Only the bit stream says for certain what a key frame is. */
  readonly dataType: DataType;
  readonly payloadType: number;
  readonly timestampMs: number;
  /** A view of the packet where the frame came in one, else a buffer of its own. */
  readonly bytes: Uint8Array;
  /** Something of this channel and medium before this frame is missing. */
  readonly lost: boolean;
}

/** Whether the packets missing before a packet are of this track, as far as the track itself can tell. */
export type OwnLoss =
  | { readonly kind: 'none' }
  /** `packets` undefined: at least one. */
  | { readonly kind: 'some'; readonly packets: number | undefined }
  | { readonly kind: 'unknown' };

const NONE: OwnLoss = { kind: 'none' };
const UNKNOWN: OwnLoss = { kind: 'unknown' };
const SOME: OwnLoss = { kind: 'some', packets: undefined };

export class MediaTrack implements CountedTrack<MediaPacket> {
  readonly channel: number;
  readonly media: TrackMedia;
  readonly channelCount: Count;
  readonly trackCount: Count;
  open: OpenFrame | undefined;
  /** The current frame is damaged, and the rest of it is skipped without another report. */
  isSkipping = false;
  /** Something before the next frame is missing. */
  isLost = false;
  /** An I frame was lost, so frames that refer to it are useless. */
  waitsForKey = false;
  /** Frames of a track that may have lost a packet, held until that is known. */
  held: HeldFrame[] | undefined;
  /** Number of the connection's packets up to the last one of this track. */
  lastPacket = 0;
  readonly #cadence = new Cadence();
  #isDisturbed = true;
  /** Each frame so far came in a single packet, so that a missing frame is a missing packet. */
  #isAtomic = true;
  #newestMs = Number.NEGATIVE_INFINITY;
  // The fields that tell the last packet from another one without holding on to its bytes.
  #sequence = -1;
  #timestampMs: number | undefined;
  #types = -1;
  #length = -1;
  #sample = 0;
  /** Consecutive packets with the same number and different content: the terminal doesn't count. */
  #sameNumbers = 0;

  constructor(
    channel: number,
    media: TrackMedia,
    counts: { readonly channelCount: Count; readonly trackCount: Count },
  ) {
    this.channel = channel;
    this.media = media;
    this.channelCount = counts.channelCount;
    this.trackCount = counts.trackCount;
  }

  isSame(packet: MediaPacket): boolean {
    // Silent sound repeats its bytes. If neither number nor time moves, two such packets can't be told apart.
    if (this.#sameNumbers > 1 && this.media !== 'video') return false;
    return (
      packet.sequence === this.#sequence &&
      packet.timestampMs === this.#timestampMs &&
      typesOf(packet) === this.#types &&
      packet.body.length === this.#length &&
      sampleOf(packet.body) === this.#sample
    );
  }

  isNewer({ timestampMs }: MediaPacket): boolean {
    return timestampMs !== undefined && timestampMs > this.#newestMs;
  }

  /** Remembers a packet that was taken. */
  remember(packet: MediaPacket): void {
    const { sequence, timestampMs } = packet;
    this.#sameNumbers = sequence === this.#sequence ? this.#sameNumbers + 1 : 0;
    this.#sequence = sequence;
    this.#timestampMs = timestampMs;
    this.#types = typesOf(packet);
    this.#length = packet.body.length;
    this.#sample = sampleOf(packet.body);
    if (timestampMs !== undefined && timestampMs > this.#newestMs) this.#newestMs = timestampMs;
    if (!isBeginning(packet)) return;
    if (packet.subPackage !== SubPackage.Atomic) this.#isAtomic = false;
    if (timestampMs !== undefined)
      this.#cadence.note({ timestampMs, intervalMs: intervalOf(packet) }, !this.#isDisturbed);
    this.#isDisturbed = false;
  }

  /** Packets are missing, possibly of this track: the next step proves nothing about its cadence. */
  disturb(): void {
    this.#isDisturbed = true;
  }

  /** The loss that the track's first packet after a gap shows. */
  lossBefore(packet: MediaPacket): OwnLoss {
    const { open } = this;
    if (!isBeginning(packet)) {
      // All packets of a frame have one time stamp.
      const isContinued = open !== undefined && open.first.timestampMs === packet.timestampMs;
      return isContinued ? UNKNOWN : SOME;
    }
    if (open !== undefined) return SOME;
    const { timestampMs } = packet;
    if (timestampMs === undefined) return UNKNOWN;
    const missing = this.#cadence.missingBefore({ timestampMs, intervalMs: intervalOf(packet) });
    if (missing === undefined) return UNKNOWN;
    if (missing === 0) return NONE;
    return { kind: 'some', packets: this.#isAtomic ? missing : undefined };
  }
}

function isBeginning({ subPackage }: MediaPacket): boolean {
  return subPackage === SubPackage.Atomic || subPackage === SubPackage.First;
}

function intervalOf({ lastFrameIntervalMs }: MediaPacket): number | undefined {
  return lastFrameIntervalMs === UNKNOWN_INTERVAL ? undefined : lastFrameIntervalMs;
}

function typesOf({ payloadType, dataType, subPackage }: MediaPacket): number {
  return (payloadType << 8) | (dataType << 4) | subPackage;
}

/** A hash of some bytes of the body: packets of one frame have the same length and differ in content. */
function sampleOf(body: Uint8Array): number {
  let mixed = 0;
  const stride = Math.max(1, body.length >> 5);
  for (let at = 0; at < body.length; at += stride) mixed = Math.imul(mixed ^ (body[at] ?? 0), 0x01000193);
  return mixed;
}
