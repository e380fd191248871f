// Reads a segment without a whole sidecar packet by packet: after a crash, or when the sidecar is lost.
import {
  Codec,
  MAX_PAYLOAD_BYTES,
  PACKET_HEADER_BYTES,
  PacketFlag,
  PacketKind,
  type PacketRead,
  readPacket,
  STREAM_VERSION,
  type StreamPacket,
} from '../../shared/protocol/stream/streamPacket.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import { type RecordingFile, readFully } from './files.ts';
import { GopIndexer } from './gopIndexer.ts';
import type { SegmentEnd, SegmentGroup, SegmentIndex } from './segmentFormat.ts';

export interface SegmentScan {
  /** Index of the intact part; without groups if no key frame is intact. A torn tail is to be cut at `end.bytes`. */
  readonly index: SegmentIndex & { readonly end: SegmentEnd };
  readonly fileBytes: number;
  readonly damagedGroups: number;
}

/** Any complete packet fits, so a packet that doesn't was cut short by the end of the file. */
const WINDOW_BYTES = 2 * (PACKET_HEADER_BYTES + MAX_PAYLOAD_BYTES);

/**
 * Continues at the last group known to be complete. That group is read again, because a change of the sound format inside
 * it isn't in its record. Wall times are computed from its wall time and media time.
 */
export async function scanSegment(
  file: RecordingFile,
  startMs: WallMs,
  known: readonly SegmentGroup[],
): Promise<SegmentScan> {
  const fileBytes = await file.size();
  const trusted = known.filter((group) => group.offset + group.bytes <= fileBytes);
  const scan = new Scan(startMs, trusted);
  while (!scan.isOver && scan.offset < fileBytes) {
    const window = await readFully(file, scan.offset, Math.min(WINDOW_BYTES, fileBytes - scan.offset));
    scan.take(window, scan.offset + window.byteLength >= fileBytes);
  }
  return { ...scan.finish(), fileBytes };
}

class Scan {
  readonly #startMs: WallMs;
  readonly #groups: SegmentGroup[];
  #indexer: GopIndexer;
  #isOver = false;
  /** Invalid bytes are being skipped up to the next key frame. */
  #isSkipping = false;
  #offset: number;

  readonly #lastKnown: SegmentGroup | undefined;

  constructor(startMs: WallMs, known: readonly SegmentGroup[]) {
    this.#startMs = startMs;
    this.#lastKnown = known.at(-1);
    this.#groups = known.slice(0, -1);
    this.#indexer = new GopIndexer(this.#groups, this.#lastKnown?.formatOffset);
    this.#offset = this.#indexer.bytes;
  }

  /** Where the next window is to begin. */
  get offset(): number {
    return this.#offset;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(window: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    let at = 0;
    while (at < window.byteLength) {
      if (this.#isSkipping) at = this.#skip(window, at, isLast);
      if (this.#isSkipping) break;
      const read = readPacket(window, at);
      if (read.kind === 'short' && !isLast) break;
      if (read.kind === 'packet' && isPlausible(read.packet)) {
        this.#add(read, window.subarray(at, read.nextOffset));
        at = read.nextOffset;
      } else {
        this.#isSkipping = true;
        at++;
      }
    }
    this.#offset += at;
    if (isLast) this.#isOver = true;
  }

  finish(): Omit<SegmentScan, 'fileBytes'> {
    const last = this.#indexer.finish();
    const groups = last === undefined ? this.#groups : [...this.#groups, last.group];
    const tail = groups.at(-1);
    const end = {
      bytes: tail === undefined ? 0 : tail.offset + tail.bytes,
      endMs: (tail === undefined ? this.#startMs : tail.wallTimeMs + tail.durationMs) as WallMs,
      deviceEndMs: last?.end.deviceEndMs ?? tail?.deviceTimeMs ?? (0 as WallMs),
      groupCount: groups.length,
    };
    const damagedGroups = groups.filter(({ isDamaged }) => isDamaged).length;
    return { index: { startMs: this.#startMs, groups, end }, damagedGroups };
  }

  #add({ packet }: PacketRead & { kind: 'packet' }, bytes: Uint8Array): void {
    const ended = this.#indexer.add({ header: packet, bytes }, this.#wallTimeOf(packet));
    if (ended !== undefined) this.#groups.push(ended);
  }

  #wallTimeOf(packet: StreamPacket): number {
    if (this.#lastKnown?.keyOffset === this.#indexer.bytes) return this.#lastKnown.wallTimeMs;
    const base = this.#indexer.current ?? this.#groups.findLast(({ keyBytes }) => keyBytes > 0);
    if (base === undefined) return this.#groups.at(-1)?.wallTimeMs ?? this.#startMs;
    return base.wallTimeMs + (packet.mediaTimeUs - base.mediaTimeUs) / 1000;
  }

  /** Position in the window of the next key frame that is followed by another packet; the window's end if there is none. */
  #skip(window: Uint8Array<ArrayBuffer>, from: number, isLast: boolean): number {
    for (let at = from; at + PACKET_HEADER_BYTES <= window.byteLength; at++) {
      if (!looksLikeKeyFrame(window, at)) continue;
      const read = readPacket(window, at);
      if (read.kind === 'short' && !isLast) return at; // the next window begins with it
      if (read.kind !== 'packet' || !isPlausible(read.packet) || !isFollowed(window, read.nextOffset)) continue;
      this.#closeDamaged(this.#offset + at, read.packet);
      return at;
    }
    return isLast ? window.byteLength : Math.max(from, window.byteLength - PACKET_HEADER_BYTES + 1);
  }

  /** Combines everything from the damaged group up to the key frame at `end` into one group marked as unplayable. */
  #closeDamaged(end: number, next: StreamPacket): void {
    const nextWallMs = Math.round(this.#wallTimeOf(next));
    const open = this.#indexer.finish()?.group;
    const before = this.#groups.at(-1);
    const offset = open?.offset ?? (before === undefined ? 0 : before.offset + before.bytes);
    const wallTimeMs = (open?.wallTimeMs ?? (before === undefined ? this.#startMs : nextWallMs)) as WallMs;
    this.#groups.push({
      offset,
      bytes: end - offset,
      keyOffset: open?.keyOffset ?? offset,
      keyBytes: open?.keyBytes ?? 0,
      formatOffset: open?.formatOffset,
      mediaTimeUs: open?.mediaTimeUs ?? next.mediaTimeUs,
      wallTimeMs,
      deviceTimeMs: open?.deviceTimeMs ?? (0 as WallMs),
      durationMs: Math.max(0, nextWallMs - wallTimeMs),
      checksum: 0,
      keyChecksum: 0,
      isDamaged: true,
    });
    this.#indexer = new GopIndexer(this.#groups);
    this.#isSkipping = false;
  }
}

const VIDEO_CODECS: ReadonlySet<number> = new Set([Codec.H264, Codec.H265, Codec.Av1]);
const KEY_FLAGS = PacketFlag.Key | PacketFlag.Discontinuity | PacketFlag.Entry | PacketFlag.Recovering;
const KNOWN_FLAGS = KEY_FLAGS | PacketFlag.Leading;

function looksLikeKeyFrame(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === STREAM_VERSION &&
    bytes[at + 1] === PacketKind.Video &&
    VIDEO_CODECS.has(bytes[at + 2] ?? 0) &&
    ((bytes[at + 3] ?? 0) & PacketFlag.Key) !== 0 &&
    ((bytes[at + 3] ?? 0) & ~KEY_FLAGS) === 0
  );
}

/** Whether another packet begins here, or the file ends. */
function isFollowed(window: Uint8Array<ArrayBuffer>, at: number): boolean {
  if (at === window.byteLength) return true;
  const [version, kind = 0, , flags = 0] = window.subarray(at, at + 4);
  return (
    version === STREAM_VERSION && kind >= PacketKind.Video && kind <= PacketKind.Event && (flags & ~KNOWN_FLAGS) === 0
  );
}

/** After a power cut, blocks that were never written read as zeros, so a packet with a valid header may have an empty body. */
const HOLLOW_BYTES = 64;

/** Whether it can be a packet that the gateway relayed, whole. */
function isPlausible({ kind, codec, payload }: StreamPacket): boolean {
  switch (kind) {
    case PacketKind.Video:
      return VIDEO_CODECS.has(codec) && (codec === Codec.Av1 || startsWithNalUnit(payload)) && !isHollow(payload);
    case PacketKind.Audio:
      return codec >= Codec.Pcm16 && codec <= Codec.G726;
    case PacketKind.Event:
      return codec === Codec.None && payload[0] === 0x7b;
    default:
      return false;
  }
}

function startsWithNalUnit(payload: Uint8Array): boolean {
  const start = payload[2] === 0 ? 3 : 2;
  return payload[0] === 0 && payload[1] === 0 && payload[start] === 1;
}

function isHollow(payload: Uint8Array): boolean {
  if (payload.byteLength < HOLLOW_BYTES) return false;
  return payload.subarray(-HOLLOW_BYTES).every((byte) => byte === 0);
}
