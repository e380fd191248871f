// Finds and reads the groups of pictures of recorded tracks. Shared by all playback sessions and exports: it bounds the
// files open at once and keeps the indexes of the segments used last. No file stays open between two reads:
// a segment that retention deletes would survive in it, and there would be as many open files as viewers.
import { crc32 } from 'node:zlib';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { errorCode, type RecordingFile, type RecordingFiles, readFully } from '../files.ts';
import { groupAt, type SegmentGroup, type SegmentIndex } from '../segmentFormat.ts';
import { type SegmentName, segmentPath } from '../segmentPath.ts';
import { Semaphore } from '../semaphore.ts';
import { readSegmentIndex } from './readSegmentIndex.ts';
import type { SegmentDirectory, TrackKey } from './segmentDirectory.ts';

/** One group of pictures and its place. */
export interface RecordedGroup {
  readonly segment: SegmentName;
  /** Its index among the segment's groups. */
  readonly number: number;
  readonly group: SegmentGroup;
  /** The last group of a segment that is still written: more may follow, and its checksum is not known yet. */
  readonly isGrowing: boolean;
}

export type BytesRead =
  | { readonly kind: 'bytes' /** The caller alone has them. */; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A checksum is wrong, or the file ends too early. */
  | { readonly kind: 'damaged' }
  /** The file is gone. */
  | { readonly kind: 'missing' };

export interface GopReaderDeps {
  readonly files: RecordingFiles;
  readonly directory: SegmentDirectory;
  readonly onLimit?: OnLimit | undefined;
}

/** Recording files read at a time, for playback and exports. Further reads wait in order. */
export const OPEN_FILES_LIMIT: Limit = { name: 'recordings.open-files.process', max: 16 };
/** Indexes of recorded segments kept in memory: an hour of eight channels, some 10 KB each. The least recently used one is read again. */
export const CACHED_INDEXES_LIMIT: Limit = { name: 'recordings.cached-indexes.process', max: 480 };
/** Groups are read in pieces of this size; a group of a second or two is one piece. */
export const PIECE_BYTES = 1024 * 1024;

export class GopReader {
  readonly #deps: GopReaderDeps;
  readonly #limit: Semaphore;
  /** Indexes by path, the least recently used first. */
  readonly #indexes = new Map<string, SegmentIndex>();
  /** Paths of segments: they are needed for every group, and made from a formatted date. */
  readonly #paths = new WeakMap<SegmentName, string>();

  constructor(deps: GopReaderDeps) {
    this.#deps = deps;
    this.#limit = new Semaphore(OPEN_FILES_LIMIT.max, () => deps.onLimit?.(OPEN_FILES_LIMIT));
  }

  /** The newest group that began at or before the moment, however long ago it ended. */
  async latestAt(track: TrackKey, atMs: WallMs): Promise<RecordedGroup | undefined> {
    let segment = await this.#deps.directory.latestAt(track, atMs);
    while (segment !== undefined) {
      const index = await this.#indexOf(segment);
      const found = this.#toRecorded(segment, index, groupAt(index.groups, atMs) ?? -1);
      if (found !== undefined) return found;
      segment = await this.#deps.directory.latestAt(track, wallMs(segment.startMs - 1));
    }
    return undefined;
  }

  /** The first group of the first segment that began after the moment. */
  async firstAfter(track: TrackKey, atMs: WallMs): Promise<RecordedGroup | undefined> {
    let segment = await this.#deps.directory.nextAfter(track, atMs);
    while (segment !== undefined) {
      const found = this.#toRecorded(segment, await this.#indexOf(segment), 0);
      if (found !== undefined) return found;
      segment = await this.#deps.directory.nextAfter(track, segment.startMs);
    }
    return undefined;
  }

  /** The group in its present state: one that was still being written may have grown or been closed. */
  async refresh({ segment, number, group }: RecordedGroup): Promise<RecordedGroup> {
    const now = this.#toRecorded(segment, await this.#indexOf(segment), number);
    return now ?? { segment, number, group, isGrowing: false };
  }

  /** The next group; `none` when there is none, `later` when the segment is still being written and it has not come yet. */
  async next(at: RecordedGroup): Promise<RecordedGroup | 'none' | 'later'> {
    const index = await this.#indexOf(at.segment);
    const inSegment = this.#toRecorded(at.segment, index, at.number + 1);
    if (inSegment !== undefined) return inSegment;
    if (this.#deps.directory.openIndex(at.segment) !== undefined) return 'later';
    return (await this.firstAfter(at.segment, at.segment.startMs)) ?? 'none';
  }

  /** The previous group, in whichever segment it lies. */
  async previous(at: RecordedGroup): Promise<RecordedGroup | undefined> {
    const inSegment = this.#toRecorded(at.segment, await this.#indexOf(at.segment), at.number - 1);
    return inSegment ?? this.latestAt(at.segment, wallMs(at.segment.startMs - 1));
  }

  /**
   * The group at which decoding has to begin for the picture at a moment in the given group to be correct: an earlier one where pictures
   * recover gradually. Where there is none before it without a break, pictures are correct as early as possible.
   */
  async entryFor(at: RecordedGroup, atUs: number): Promise<RecordedGroup> {
    let entry = at;
    for (let step = 0; step < MAX_GROUPS_BACK && rightFromUs(entry) > atUs; step++) {
      const previous = await this.previous(entry);
      const isBroken = previous === undefined || groupStartUs(entry) - groupEndUs(previous) > MAX_JOIN_US;
      if (isBroken || previous.group.isDamaged) break;
      entry = previous;
    }
    return entry;
  }

  /** Reads a piece of the group, at most PIECE_BYTES unless `bytes` says otherwise; empty at its end. */
  readPiece(at: RecordedGroup, offset: number, bytes = PIECE_BYTES): Promise<BytesRead> {
    const end = at.group.offset + at.group.bytes;
    return this.#read(at, (file) => readFully(file, offset, Math.max(0, Math.min(bytes, end - offset))));
  }

  /** The whole group, checked, when it is small enough for one piece; otherwise empty bytes when it was found intact. */
  async readChecked(at: RecordedGroup): Promise<BytesRead> {
    if (at.group.isDamaged) return { kind: 'damaged' };
    if (at.isGrowing) return this.readPiece(at, at.group.offset);
    const { offset, bytes, checksum } = at.group;
    if (bytes > PIECE_BYTES) return this.#read(at, (file) => checkedInPieces(file, at.group));
    return this.#read(at, async (file) => whenIntact(await readFully(file, offset, bytes), bytes, checksum));
  }

  /**
   * Like `readChecked`, for the group and the following ones of its segment that fit in a piece with it, by their numbers, with one
   * access to the file: opening, reading and closing it cost more than the bytes of a small group.
   */
  async readManyChecked(at: RecordedGroup): Promise<Map<number, BytesRead>> {
    const many = at.isGrowing ? [] : groupsInPiece(await this.#closedGroups(at.segment), at.number);
    if (many.length < 2) return new Map([[at.number, await this.readChecked(at)]]);
    const bytes = many.reduce((sum, group) => sum + group.bytes, 0);
    const read = await this.#read(at, (file) => readFully(file, at.group.offset, bytes));
    return new Map(many.map((group, index) => [at.number + index, partOf(read, at.group.offset, group)]));
  }

  /** Only the key frame's packet, checked. */
  readKeyFrame(at: RecordedGroup): Promise<BytesRead> {
    const { keyOffset, keyBytes, keyChecksum, isDamaged } = at.group;
    if (isDamaged) return Promise.resolve({ kind: 'damaged' });
    return this.#read(at, async (file) =>
      whenIntact(await readFully(file, keyOffset, keyBytes), keyBytes, keyChecksum),
    );
  }

  /** Some bytes that begin with the `format` event in force at the group; undefined without sound. */
  async readFormat(at: RecordedGroup): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { formatOffset } = at.group;
    if (formatOffset === undefined) return undefined;
    const read = await this.#read(at, (file) => readFully(file, formatOffset, FORMAT_READ_BYTES));
    return read.kind === 'bytes' ? read.bytes : undefined;
  }

  async #read(
    { segment }: RecordedGroup,
    read: (file: RecordingFile) => Promise<Uint8Array<ArrayBuffer> | undefined>,
  ): Promise<BytesRead> {
    return this.#limit.run(async () => {
      let file: RecordingFile;
      try {
        file = await this.#deps.files.open(this.#pathOf(segment), 'read');
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return { kind: 'missing' };
        throw error;
      }
      try {
        const bytes = await read(file);
        return bytes === undefined ? { kind: 'damaged' } : { kind: 'bytes', bytes };
      } finally {
        await file.close();
      }
    });
  }

  async #indexOf(segment: SegmentName): Promise<SegmentIndex> {
    const open = this.#deps.directory.openIndex(segment);
    if (open !== undefined) return open;
    const path = this.#pathOf(segment);
    const known = this.#indexes.get(path);
    const index = known ?? (await this.#loadIndex(segment));
    if (index === undefined) return { startMs: segment.startMs, groups: [], end: undefined };
    this.#indexes.delete(path);
    this.#indexes.set(path, index);
    const [oldest] = this.#indexes.keys();
    if (oldest === undefined || this.#indexes.size <= CACHED_INDEXES_LIMIT.max) return index;
    this.#deps.onLimit?.(CACHED_INDEXES_LIMIT);
    this.#indexes.delete(oldest);
    return index;
  }

  #pathOf(segment: SegmentName): string {
    const known = this.#paths.get(segment);
    if (known !== undefined) return known;
    const path = segmentPath(segment);
    this.#paths.set(segment, path);
    return path;
  }

  /** All groups except one that may grow. */
  async #closedGroups(segment: SegmentName): Promise<readonly SegmentGroup[]> {
    const { groups } = await this.#indexOf(segment);
    return this.#deps.directory.openIndex(segment) === undefined ? groups : groups.slice(0, -1);
  }

  #toRecorded(segment: SegmentName, index: SegmentIndex, number: number): RecordedGroup | undefined {
    const group = index.groups[number];
    if (group === undefined) return undefined;
    const isLast = number === index.groups.length - 1;
    return { segment, number, group, isGrowing: isLast && this.#deps.directory.openIndex(segment) !== undefined };
  }

  #loadIndex(segment: SegmentName): Promise<SegmentIndex | undefined> {
    return this.#limit.run(() => readSegmentIndex(this.#deps.files, segment));
  }
}

/** Largest gap between consecutive segments of one recording, including a clock that was set. */
export const MAX_JOIN_US = 1_000_000;
/** Even this many of the smallest groups last longer than any recovery. */
const MAX_GROUPS_BACK = 32;

/** Event packets are some 90 bytes. */
const FORMAT_READ_BYTES = 1024;

/** The group with a number and the following ones that are small enough to be read with it. */
function groupsInPiece(groups: readonly SegmentGroup[], number: number): readonly SegmentGroup[] {
  const start = groups[number]?.offset ?? 0;
  const count = groups.slice(number).findIndex(({ offset, bytes }) => offset + bytes - start > PIECE_BYTES);
  return groups.slice(number, count < 0 ? undefined : number + count);
}

/** A group's part of the bytes that were read from an offset of its file on. */
function partOf(read: BytesRead, readOffset: number, group: SegmentGroup): BytesRead {
  if (read.kind !== 'bytes') return read;
  const start = group.offset - readOffset;
  const bytes = whenIntact(read.bytes.subarray(start, start + group.bytes), group.bytes, group.checksum);
  return bytes === undefined || group.isDamaged ? { kind: 'damaged' } : { kind: 'bytes', bytes };
}

function whenIntact(
  bytes: Uint8Array<ArrayBuffer>,
  length: number,
  checksum: number,
): Uint8Array<ArrayBuffer> | undefined {
  return bytes.byteLength === length && crc32(bytes) === checksum ? bytes : undefined;
}

const NO_BYTES = new Uint8Array(0);

/** Checks a group that is too large for memory, piece by piece; undefined when its checksum is wrong. */
async function checkedInPieces(
  file: RecordingFile,
  { offset, bytes, checksum }: SegmentGroup,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let sum = 0;
  for (let done = 0; done < bytes; ) {
    const piece = await readFully(file, offset + done, Math.min(PIECE_BYTES, bytes - done));
    if (piece.byteLength === 0) return undefined;
    sum = crc32(piece, sum);
    done += piece.byteLength;
  }
  return sum === checksum ? NO_BYTES : undefined;
}

export function groupStartUs({ group }: RecordedGroup): number {
  return group.wallTimeMs * 1000;
}

/** Time from which the pictures are correct for a decoder that begins with the group. */
function rightFromUs({ group }: RecordedGroup): number {
  return (group.wallTimeMs + (group.recoveryMs ?? 0)) * 1000;
}

/** End of its last picture; for a group that is still being written, the end so far. */
export function groupEndUs({ group }: RecordedGroup): number {
  return (group.wallTimeMs + group.durationMs) * 1000;
}
