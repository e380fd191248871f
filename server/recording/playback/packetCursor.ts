// Reads one track from a moment on, in decoding order: across segments, around damage, up to the end of what is written.

import { PacketFlag, setFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import {
  type BytesRead,
  type GopReader,
  groupEndUs,
  groupStartUs,
  MAX_JOIN_US,
  PIECE_BYTES,
  type RecordedGroup,
} from './gopReader.ts';
import { placePackets, type RecordedPacket } from './recordedPacket.ts';
import type { TrackKey } from './segmentDirectory.ts';

export type CursorRead =
  | { readonly kind: 'packets'; readonly packets: readonly RecordedPacket[] }
  /** Nothing is recorded between the two times, and reading continues at `untilUs`. Undefined: nothing follows so far. */
  | { readonly kind: 'gap'; readonly fromUs: number; readonly untilUs: number | undefined }
  /** The recording is still being written, and everything written so far was read. */
  | { readonly kind: 'tail' };

/**
 * `many` reads as `all`, with several groups per disk access, for callers that read to the end. `key-frames` reads groups from which
 * gradual refresh begins whole: their key frames show nothing by themselves.
 */
export type CursorMode = 'all' | 'key-frames' | 'many';

type Place =
  | { readonly kind: 'unknown'; readonly atUs: number }
  /** At the group's start; or inside a group that is read in pieces, with the next one at `offset`. */
  | { readonly kind: 'group'; readonly at: RecordedGroup; readonly offset: number | undefined }
  /** After the last group there is. */
  | { readonly kind: 'behind'; readonly at: RecordedGroup };

/** Groups of a segment read ahead, by number. */
interface GroupRun {
  readonly startMs: number;
  readonly reads: Map<number, BytesRead>;
  /** Their original number. */
  readonly count: number;
}

export class PacketCursor {
  readonly #gopReader: GopReader;
  readonly #track: TrackKey;
  readonly #mode: CursorMode;
  #place: Place;
  /** End of what was read; -Infinity before the first group. */
  #coveredUs = Number.NEGATIVE_INFINITY;
  #ahead: GroupRun | undefined;
  /** The run after `#ahead`, being read. */
  #coming: Promise<GroupRun | undefined> | undefined;
  /** The next key frame doesn't follow what the viewer decoded last, so it has to be marked. */
  #isBroken = true;

  /**
   * Starts at a group, or at the one from whose key frame on the picture of a time (microseconds) is right, or after the gap if nothing is
   * recorded then.
   */
  constructor(gopReader: GopReader, track: TrackKey, start: number | RecordedGroup, mode: CursorMode = 'all') {
    this.#gopReader = gopReader;
    this.#track = track;
    this.#mode = mode;
    const isTime = typeof start === 'number';
    this.#place = isTime ? { kind: 'unknown', atUs: start } : { kind: 'group', at: start, offset: undefined };
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
    if (latest !== undefined && atUs < groupEndUs(latest)) return this.#enterFor(latest, atUs);
    const next =
      latest === undefined ? await this.#gopReader.firstAfter(this.#track, at) : await this.#following(latest);
    if (latest !== undefined && next !== undefined && groupStartUs(next) - groupEndUs(latest) <= MAX_JOIN_US) {
      return this.#enterFor(latest, atUs);
    }
    if (latest?.isGrowing === true) return this.#enterFor(latest, atUs);
    if (next === undefined) return { kind: 'gap', fromUs: atUs, untilUs: undefined };
    this.#enter(next);
    return { kind: 'gap', fromUs: atUs, untilUs: groupStartUs(next) };
  }

  async #following(at: RecordedGroup): Promise<RecordedGroup | undefined> {
    const next = await this.#gopReader.next(at);
    return typeof next === 'string' ? undefined : next;
  }

  async #enterFor(at: RecordedGroup, atUs: number): Promise<undefined> {
    this.#enter(await this.#gopReader.entryFor(at, atUs));
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

  /** The group's next packets; empty at its end, if it is lost, or if the cursor had to move. */
  async #readGroup(at: RecordedGroup, offset: number | undefined): Promise<readonly RecordedPacket[]> {
    if (this.#mode === 'key-frames' && at.group.recoveryMs === undefined) {
      return offset === undefined ? this.#readKeyFrame(at) : [];
    }
    if (offset !== undefined) return this.#readPiece(at, offset);
    const read = await (this.#mode === 'many' ? this.#readAhead(at) : this.#gopReader.readChecked(at));
    if (!this.#accept(at, read)) return [];
    const isWhole = read.bytes.byteLength > 0;
    return isWhole ? this.#take(at, at.group.offset, read.bytes) : this.#readPiece(at, at.group.offset);
  }

  /** The group, taken from the groups read ahead if it is among them. */
  async #readAhead(at: RecordedGroup): Promise<BytesRead> {
    if (!isAmong(this.#ahead, at)) {
      const coming = await this.#coming;
      this.#coming = undefined;
      this.#ahead = isAmong(coming, at) ? coming : await this.#readRun(at);
    }
    const { reads, count } = this.#ahead;
    const read = reads.get(at.number) ?? { kind: 'damaged' };
    // The reader owns its bytes now.
    reads.delete(at.number);
    if (reads.size <= count / 2) this.#coming ??= this.#readBehind(at, reads.size);
    return read;
  }

  async #readRun(at: RecordedGroup): Promise<GroupRun> {
    const reads = await this.#gopReader.readManyChecked(at);
    return { startMs: at.segment.startMs, reads, count: reads.size };
  }

  /** Reads the run that is `groups` groups further, while those are used. Undefined if nothing follows so far. */
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
      // The segment was completed while it was read, so continue with the group's final record.
      if (now.isGrowing !== at.isGrowing) this.#place = { kind: 'group', at: now, offset };
      return [];
    }
    let bytes = PIECE_BYTES;
    for (;;) {
      const read = await this.#gopReader.readPiece(now, offset, bytes);
      if (!this.#accept(now, read)) return [];
      const packets = this.#take(now, offset, read.bytes);
      const isCutShort = this.#place.kind === 'group' && this.#place.offset === offset;
      // A picture may be larger than a piece. One whose end isn't in the file yet is waited for.
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

  /** Marks the key frame after a loss. */
  #mark(packets: readonly RecordedPacket[]): readonly RecordedPacket[] {
    const key = this.#isBroken ? packets.find(({ isKey }) => isKey) : undefined;
    if (key !== undefined) {
      setFlag(key.bytes, PacketFlag.Discontinuity);
      this.#isBroken = false;
    }
    return packets;
  }

  /** Whether the bytes are usable; if not, moves to the group's end. */
  #accept(at: RecordedGroup, read: BytesRead): read is BytesRead & { readonly kind: 'bytes' } {
    if (read.kind === 'bytes') return true;
    this.#isBroken = true;
    // Damage is shown as a moment without a new picture; a missing file leaves a gap.
    const wasReading = Number.isFinite(this.#coveredUs);
    if (read.kind === 'damaged' && wasReading) this.#coveredUs = Math.max(this.#coveredUs, groupEndUs(at));
    this.#place = { kind: 'group', at, offset: at.group.offset + at.group.bytes };
    return false;
  }
}

/** A group with a gap inside has pictures later than the time it covers. */
function latestOf(packets: readonly RecordedPacket[]): number {
  return packets.findLast(({ kind }) => kind === 'video')?.timeUs ?? Number.NEGATIVE_INFINITY;
}

function isAmong(run: GroupRun | undefined, { segment, number }: RecordedGroup): run is GroupRun {
  return run?.startMs === segment.startMs && run.reads.has(number);
}

function isSamePlace(left: Place, right: Place & { readonly kind: 'group' }): boolean {
  return left.kind === 'group' && left.at === right.at && left.offset === right.offset;
}
