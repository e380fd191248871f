// Everything that is recorded, up to this moment: the database's segments together with those that are still being written.
import { wallMs } from '../../shared/protocol/time.ts';
import { clipRange, mergeRanges, RANGE_JOIN_MS } from '../../shared/protocol/timeRanges.ts';
import type {
  ChannelWindow,
  FetchedQuery,
  RangeQuery,
  RecordedRange,
  Segment,
  SegmentId,
  SegmentStore,
} from '../store/recordings/segments.ts';
import { type OpenSegment, toSegment } from './channelRecorder.ts';
import type { SegmentIndex } from './segmentFormat.ts';

export interface RecordedIndex {
  /** The segments with a moment in the window, ordered by start. */
  find(window: ChannelWindow, limit?: number): Promise<Segment[]>;
  /** The first segment that starts at or after a moment. */
  next(archiveId: string, channel: number, atMs: number): Promise<Segment | undefined>;
  /** The last segment that starts at or before a moment. */
  latest(archiveId: string, channel: number, atMs: number): Promise<Segment | undefined>;
  /** The readable part of a segment that is still being written; undefined for any other. */
  openIndex(name: SegmentId): SegmentIndex | undefined;
  /** The recorded ranges in a window, by device, channel and time, clipped to it. */
  ranges(query: RangeQuery): Promise<RecordedRange[]>;
  /** The ranges of a window that were fetched from the device later, as far as their segments are complete. */
  fetched(query: FetchedQuery): Promise<RecordedRange[]>;
}

export interface RecordedIndexDeps {
  readonly segments: Pick<SegmentStore, 'find' | 'next' | 'latest' | 'ranges' | 'fetched'>;
  readonly openSegments: () => readonly OpenSegment[];
  /** Complete segments that the database does not have yet. */
  readonly unstored: (isWanted: (segment: Segment) => boolean) => readonly Segment[];
}

export function createRecordedIndex({ segments, openSegments, unstored }: RecordedIndexDeps): RecordedIndex {
  const unknown = (isWanted: (segment: Segment) => boolean): Segment[] => [
    ...unstored(isWanted),
    ...openSegments().flatMap(foundOf).filter(isWanted),
  ];
  return {
    find: async (window, limit) => {
      // Taken first, so that a segment that is stored meanwhile is found twice rather than not at all.
      const more = unknown((segment) => isOfChannel(segment, window) && overlaps(segment, window));
      return joined(await segments.find(window, limit), more);
    },
    next: async (archiveId, channel, atMs) => {
      const more = unknown((each) => isOfChannel(each, { archiveId, channel }) && each.startMs >= atMs);
      const stored = await segments.next(archiveId, channel, atMs);
      return joined(stored === undefined ? [] : [stored], more)[0];
    },
    latest: async (archiveId, channel, atMs) => {
      const more = unknown((each) => isOfChannel(each, { archiveId, channel }) && each.startMs <= atMs);
      const stored = await segments.latest(archiveId, channel, atMs);
      return joined(stored === undefined ? [] : [stored], more).at(-1);
    },
    openIndex: (wanted) => {
      const found = openSegments().find(({ name }) => name.startMs === wanted.startMs && isOfChannel(name, wanted));
      return found?.index;
    },
    ranges: async (query) => {
      const { archiveId } = query;
      const more = unknown((each) => archiveId === undefined || each.archiveId === archiveId);
      return withRanges(await segments.ranges(query), more, query);
    },
    fetched: (query) => segments.fetched(query),
  };
}

function foundOf({ name, index }: OpenSegment): Segment[] {
  const [first] = index.groups;
  const last = index.groups.at(-1);
  if (first === undefined || last === undefined) return [];
  const endMs = wallMs(last.wallTimeMs + last.durationMs);
  const bytes = last.offset + last.bytes;
  const end = { endMs, bytes, deviceEndMs: last.deviceTimeMs, groupCount: index.groups.length };
  return [toSegment(name, first, end)];
}

function isOfChannel(segment: Numbered, { archiveId, channel }: Pick<ChannelWindow, 'archiveId' | 'channel'>): boolean {
  return segment.archiveId === archiveId && segment.channel === channel;
}

function overlaps({ startMs, endMs }: Segment, { fromMs, toMs }: ChannelWindow): boolean {
  return startMs < toMs && endMs > fromMs;
}

function joined(stored: readonly Segment[], more: readonly Segment[]): Segment[] {
  const starts = new Set(stored.map(({ startMs }) => startMs));
  const rest = more.filter(({ startMs }) => !starts.has(startMs));
  return [...stored, ...rest].sort((left, right) => left.startMs - right.startMs);
}

function withRanges(stored: readonly RecordedRange[], more: readonly Segment[], window: RangeQuery): RecordedRange[] {
  if (more.length === 0) return [...stored];
  const channels = new Map<
    string,
    { archiveId: string; channel: number; ranges: { fromMs: number; toMs: number }[] }
  >();
  const clipped = more.flatMap(({ archiveId, channel, startMs, endMs }) => {
    const range = clipRange({ fromMs: startMs, toMs: endMs }, window);
    return range === undefined ? [] : [{ archiveId, channel, ...range }];
  });
  for (const { archiveId, channel, fromMs, toMs } of [...stored, ...clipped]) {
    const key = `${archiveId}/${channel}`;
    const known = channels.get(key) ?? { archiveId, channel, ranges: [] };
    known.ranges.push({ fromMs, toMs });
    channels.set(key, known);
  }
  return [...channels.values()].sort(byChannel).flatMap(({ archiveId, channel, ranges }) =>
    mergeRanges(ranges, RANGE_JOIN_MS).map(({ fromMs, toMs }) => {
      return { archiveId, channel, fromMs: wallMs(fromMs), toMs: wallMs(toMs) };
    }),
  );
}

interface Numbered {
  readonly archiveId: string;
  readonly channel: number;
}

function byChannel(left: Numbered, right: Numbered): number {
  if (left.archiveId !== right.archiveId) return left.archiveId < right.archiveId ? -1 : 1;
  return left.channel - right.channel;
}
