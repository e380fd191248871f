// What is known of the devices on the clock. Pure.
import type { ApiFailure } from '../../../../shared/api/client.ts';
import type { TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { SHOWN_OFFSET_MS } from '../../../../shared/protocol/tracks/deviceClock.ts';
import type { TrackPath } from '../../../../shared/ui/map/tracks/trackPath.ts';
import type { ClockCourse } from '../clock/clockState.ts';
import { commonRanges, mergedRanges, type TimeRange } from '../clock/ranges.ts';

export interface LoadedTrack {
  /** The path, as exact as the map shows it. Undefined while it is loading. */
  readonly path: TrackPath | undefined;
  readonly positions: number;
  readonly isCoarse: boolean;
  readonly summary: TrackSummary | undefined;
  readonly failure: ApiFailure | undefined;
}

export type LoadedTracks = ReadonlyMap<string, LoadedTrack>;

/** The answer is the same for a device that doesn't exist and for one of others. */
export function isUnknownDevice(failure: ApiFailure | undefined): boolean {
  return failure?.kind === 'http' && failure.status === 404;
}

/** The ranges that the clock skips: where none of the devices moves, including the time before the first report and after the last. */
export function courseOf(span: TimeRange, summaries: readonly (TrackSummary | undefined)[]): ClockCourse {
  const still = summaries.flatMap((summary) => (summary === undefined ? [] : [stillRanges(summary, span)]));
  return { ...span, still: commonRanges(still) };
}

function stillRanges({ trips, stops, gaps }: TrackSummary, span: TimeRange): readonly TimeRange[] {
  const moving = mergedRanges(trips.map(({ fromMs, toMs }) => ({ fromMs, toMs })));
  // Without trips there is nothing to skip to.
  if (moving.length === 0) return [];
  return mergedRanges(
    [...stops, ...gaps, ...betweenRanges(moving, span)].map(({ fromMs, toMs }) => ({ fromMs, toMs })),
  );
}

function betweenRanges(ranges: readonly TimeRange[], { fromMs, toMs }: TimeRange): readonly TimeRange[] {
  const edges = [fromMs, ...ranges.flatMap((range) => [range.fromMs, range.toMs]), toMs];
  return Array.from({ length: edges.length / 2 }, (_each, at) => ({
    fromMs: edges[2 * at] ?? fromMs,
    toMs: edges[2 * at + 1] ?? toMs,
  }));
}

/** How far the gateway's clock was ahead of the device's; undefined where the difference is too small to show. */
export function shownOffsetMs(
  clock: readonly { readonly fromMs: number; readonly offsetMs: number }[],
  atMs: number,
): number | undefined {
  const step = clock.findLast(({ fromMs }) => fromMs <= atMs) ?? clock[0];
  return step === undefined || Math.abs(step.offsetMs) <= SHOWN_OFFSET_MS ? undefined : step.offsetMs;
}
