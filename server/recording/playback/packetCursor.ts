// Reads one track from a moment on, in decoding order: across segments, around damage, up to the end of what is written.

import { PacketFlag, setFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import {
  type BytesRead,
  type GopReader,
  groupEndUs,
  groupStartUs,
  PIECE_BYTES,
  type RecordedGroup,
} from './gopReader.ts';
import { placePackets, type RecordedPacket } from './recordedPacket.ts';
import type { TrackKey } from './segmentDirectory.ts';

export type CursorRead =
  | { readonly kind: 'packets'; readonly packets: readonly RecordedPacket[] }
  /** Nothing is recorded between the two; what is read next begins at `untilUs`. Undefined: nothing follows by now. */
  | { readonly kind: 'gap'; readonly fromUs: number; readonly untilUs: number | undefined }
  /** The recording is still written, and all that has reached the file was read. */
  | { readonly kind: 'tail' };

/** `many` is `all` for who will read on to the end: several groups with one access to the disk. */
export type CursorMode = 'all' | 'key-frames' | 'many';

/** Segments of one recording follow one another at once; a clock that is set moves them by less than this. */
const MAX_JOIN_US = 1_000_000;

type Place =
  | { readonly kind: 'unknown'; readonly atUs: number }
  /** Before the group's first byte, or the group is read in pieces and `offset` is where the next begins. */
  | { readonly kind: 'group'; readonly at: RecordedGroup; readonly offset: number | undefined }
  /** Behind the last group there is. */
  | { readonly kind: 'behind'; readonly at: RecordedGroup };

/** Groups of a segment that were read before they are asked for, by number. */
interface GroupRun {
  readonly startMs: number;
  readonly reads: Map<number, BytesRead>;
  /** So many there were. */
  readonly count: number;
}

export class PacketCursor {
  readonly #gopReader: GopReader;
  readonly #track: TrackKey;
  readonly #mode: CursorMode;
  #place: Place;
  /** Up to where what was read reaches; -Infinity before the first group. */
  #coveredUs = Number.NEGATIVE_INFINITY;
  #ahead: GroupRun | undefined;
  /** What follows it, on its way. */
  #coming: Promise<GroupRun | undefined> | undefined;
  /** The next key frame is not preceded by what the viewer decoded last. */
  #isBroken = true;

  /** Begins at the key frame at or before the moment; where nothing is recorded then, behind the gap. */
  constructor(gopReader: GopReader, track: TrackKey, atUs: number, mode: CursorMode = 'all') {
    this.#gopReader = gopReader;
    this.#track = track;
    this.#mode = mode;
    this.#place = { kind: 'unknown', atUs };
  }

  /** The packet that says what the sound is where the cursor stands; undefined without sound. */
  async readFormat(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#place.kind !== 'group') return undefined;
    const { at } = this.#place;
    const bytes = await this.#gopReader.readFormat(at);
    const [first] = bytes === undefined ? [] : placePackets(bytes, at.group).packets;
    return first?.kind === 'format' ? first.bytes : undefined;
  }

  /** One read at a time. */
  async read(): Promise<CursorRead> {
    for (;;) {
      const place = this.#place;
      switch (place.kind) {
        case 'unknown': {
          const gap = await this.#locate(place.atUs);
          if (gap !== undefined) return gap;
          break;
        }
        case 'behind': {
          const gap = await this.#leave(place.at);
          if (gap !== undefined) return gap;
          break;
        }
        case 'group': {
          const packets = await this.#readGroup(place.at, place.offset);
          if (packets.length > 0) return { kind: 'packets', packets };
          if (!isSamePlace(this.#place, place)) break;
          const left = await this.#leave(place.at);
          if (left !== undefined) return left;
        }
      }
    }
  }

  async #locate(atUs: number): Promise<CursorRead | undefined> {
    const at = wallMs(Math.floor(atUs / 1000));
    const latest = await this.#gopReader.latestAt(this.#track, at);
    if (latest !== undefined && atUs < groupEndUs(latest)) return this.#enter(latest);
    const next =
      latest === undefined ? await this.#gopReader.firstAfter(this.#track, at) : await this.#following(latest);
    if (latest !== undefined && next !== undefined && groupStartUs(next) - groupEndUs(latest) <= MAX_JOIN_US) {
      return this.#enter(latest);
    }
    if (latest?.isGrowing === true) return this.#enter(latest);
    if (next === undefined) return { kind: 'gap', fromUs: atUs, untilUs: undefined };
    this.#enter(next);
    return { kind: 'gap', fromUs: atUs, untilUs: groupStartUs(next) };
  }

  async #following(at: RecordedGroup): Promise<RecordedGroup | undefined> {
    const next = await this.#gopReader.next(at);
    return typeof next === 'string' ? undefined : next;
  }

  #enter(at: RecordedGroup): undefined {
    this.#place = { kind: 'group', at, offset: undefined };
  }

  /** Goes on behind a group that is read to its end. */
  async #leave(at: RecordedGroup): Promise<CursorRead | undefined> {
    const next = await this.#gopReader.next(at);
    if (next === 'later') return { kind: 'tail' };
    if (next === 'none') {
      this.#place = { kind: 'behind', at };
      return { kind: 'gap', fromUs: Math.max(this.#coveredUs, groupStartUs(at)), untilUs: undefined };
    }
    this.#enter(next);
    const fromUs = this.#coveredUs;
    if (groupStartUs(next) - fromUs <= MAX_JOIN_US) return undefined;
    this.#isBroken = true;
    return { kind: 'gap', fromUs: Number.isFinite(fromUs) ? fromUs : groupStartUs(at), untilUs: groupStartUs(next) };
  }

  /** The group's next packets; none when it is read to its end, is lost, or has turned into another place. */
  async #readGroup(at: RecordedGroup, offset: number | undefined): Promise<readonly RecordedPacket[]> {
    if (this.#mode === 'key-frames') return offset === undefined ? this.#readKeyFrame(at) : [];
    if (offset !== undefined) return this.#readPiece(at, offset);
    const read = await (this.#mode === 'many' ? this.#readAhead(at) : this.#gopReader.readChecked(at));
    if (!this.#accept(at, read)) return [];
    const isWhole = read.bytes.byteLength > 0;
    return isWhole ? this.#take(at, at.group.offset, read.bytes) : this.#readPiece(at, at.group.offset);
  }

  /** The group, from what was read with one in front of it if it is among that. */
  async #readAhead(at: RecordedGroup): Promise<BytesRead> {
    if (!isAmong(this.#ahead, at)) {
      const coming = await this.#coming;
      this.#coming = undefined;
      this.#ahead = isAmong(coming, at) ? coming : await this.#readRun(at);
    }
    const { reads, count } = this.#ahead;
    const read = reads.get(at.number) ?? { kind: 'damaged' };
    // Its bytes are the reader's now.
    reads.delete(at.number);
    if (reads.size <= count / 2) this.#coming ??= this.#readBehind(at, reads.size);
    return read;
  }

  async #readRun(at: RecordedGroup): Promise<GroupRun> {
    const reads = await this.#gopReader.readManyChecked(at);
    return { startMs: at.segment.startMs, reads, count: reads.size };
  }

  /** What follows so many groups behind one, while those are used; undefined where nothing does by now. */
  async #readBehind(at: RecordedGroup, groups: number): Promise<GroupRun | undefined> {
    try {
      const next = await this.#gopReader.next({ ...at, number: at.number + groups });
      return typeof next === 'string' || next.isGrowing ? undefined : await this.#readRun(next);
    } catch {
      return undefined; // whoever needs it reads it again, and is told
    }
  }

  async #readKeyFrame(at: RecordedGroup): Promise<readonly RecordedPacket[]> {
    const read = await this.#gopReader.readKeyFrame(at);
    if (!this.#accept(at, read)) return [];
    this.#coveredUs = Math.max(this.#coveredUs, groupEndUs(at));
    this.#place = { kind: 'group', at, offset: at.group.offset + at.group.bytes };
    return this.#mark(placePackets(read.bytes, at.group).packets);
  }

  async #readPiece(at: RecordedGroup, offset: number): Promise<readonly RecordedPacket[]> {
    const now = at.isGrowing ? await this.#gopReader.refresh(at) : at;
    if (offset >= now.group.offset + now.group.bytes) {
      // It was closed while it was read: go on from the group as it is by now.
      if (now.isGrowing !== at.isGrowing) this.#place = { kind: 'group', at: now, offset };
      return [];
    }
    let bytes = PIECE_BYTES;
    for (;;) {
      const read = await this.#gopReader.readPiece(now, offset, bytes);
      if (!this.#accept(now, read)) return [];
      const packets = this.#take(now, offset, read.bytes);
      const isCutShort = this.#place.kind === 'group' && this.#place.offset === offset;
      // A picture may be larger than a piece; one whose end has not reached the file yet is awaited.
      if (!isCutShort || read.bytes.byteLength < bytes) return packets;
      bytes *= 2;
    }
  }

  /** Places the packets that begin at `offset` and moves behind them. */
  #take(at: RecordedGroup, offset: number, bytes: Uint8Array<ArrayBuffer>): readonly RecordedPacket[] {
    const { packets, consumedBytes, isDamaged } = placePackets(bytes, at.group);
    const end = at.group.offset + at.group.bytes;
    if (isDamaged) this.#isBroken = true;
    this.#coveredUs = Math.max(this.#coveredUs, groupEndUs(at), latestOf(packets));
    this.#place = { kind: 'group', at, offset: isDamaged ? end : offset + consumedBytes };
    return this.#mark(packets);
  }

  /** The key frame that follows a loss says so. */
  #mark(packets: readonly RecordedPacket[]): readonly RecordedPacket[] {
    const key = this.#isBroken ? packets.find(({ isKey }) => isKey) : undefined;
    if (key !== undefined) {
      setFlag(key.bytes, PacketFlag.Discontinuity);
      this.#isBroken = false;
    }
    return packets;
  }

  /** Whether the bytes can be used; if not, the place moves to the group's end. */
  #accept(at: RecordedGroup, read: BytesRead): read is BytesRead & { readonly kind: 'bytes' } {
    if (read.kind === 'bytes') return true;
    this.#isBroken = true;
    // Damage is shown as a moment without a new picture; a file that is gone leaves a gap.
    const wasReading = Number.isFinite(this.#coveredUs);
    if (read.kind === 'damaged' && wasReading) this.#coveredUs = Math.max(this.#coveredUs, groupEndUs(at));
    this.#place = { kind: 'group', at, offset: at.group.offset + at.group.bytes };
    return false;
  }
}

/** Behind a hole inside a group there are pictures that its time does not cover. */
function latestOf(packets: readonly RecordedPacket[]): number {
  return packets.findLast(({ kind }) => kind === 'video')?.timeUs ?? Number.NEGATIVE_INFINITY;
}

function isAmong(run: GroupRun | undefined, { segment, number }: RecordedGroup): run is GroupRun {
  return run?.startMs === segment.startMs && run.reads.has(number);
}

function isSamePlace(left: Place, right: Place & { readonly kind: 'group' }): boolean {
  return left.kind === 'group' && left.at === right.at && left.offset === right.offset;
}
