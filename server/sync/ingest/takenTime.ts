// Finds the time that must not be overwritten.
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { RecordedIndex } from '../../recording/recordedIndex.ts';
import type { IngestTarget } from './ingest.ts';
import { wantedRange } from './placement.ts';

export interface TakenDeps {
  readonly recorded: Pick<RecordedIndex, 'find'>;
  /** The gateway's clock. */
  readonly now: () => number;
}

/** Recording begins with a cached group, and its index shows segments a moment later: the present is left to it. */
const LIVE_MARGIN_MS = 30_000;
/** A group that begins or ends outside the requested span is kept as a whole, and none is longer than this. */
const AROUND_MS = 15 * 60_000;
/** A day of the shortest segments. If there are more, the time after them counts as recorded. */
const MAX_SEGMENTS = 10_000;

/** Taken time of the channel, whichever of its two streams was recorded. */
export async function findTaken(target: IngestTarget, { recorded, now }: TakenDeps): Promise<TimeRange[]> {
  const wanted = wantedRange(target);
  const { archiveId, channel } = target;
  const window = { archiveId, channel, fromMs: wanted.fromMs - AROUND_MS, toMs: wanted.toMs + AROUND_MS };
  const segments = await recorded.find(window, MAX_SEGMENTS);
  const ranges = segments.map(({ startMs, endMs }) => ({ fromMs: startMs, toMs: endMs }));
  const last = segments.at(-1);
  const knownToMs = segments.length < MAX_SEGMENTS || last === undefined ? Number.POSITIVE_INFINITY : last.endMs;
  const untouchedFromMs = Math.min(now() - LIVE_MARGIN_MS, knownToMs);
  return [...ranges, { fromMs: untouchedFromMs, toMs: Number.POSITIVE_INFINITY }];
}
