// Determines where the recordings of a channel are, for the calendar. Pure.
import { SYNC_PLACES, type SyncPlace } from '../../../shared/protocol/sync/syncWords.ts';
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll, intersect, lengthOf, subtract } from '../../../shared/protocol/timeSpans.ts';
import type { DeviceFile } from './files.ts';

export interface PlaceSources {
  readonly window: TimeRange;
  /** The device's files of the channel. */
  readonly files: readonly DeviceFile[];
  readonly here: readonly TimeRange[];
  /** Items that have not ended. */
  readonly open: readonly TimeRange[];
  /** Ranges that the server should have recorded. */
  readonly should: readonly TimeRange[];
}

export interface PlaceSpan extends TimeRange {
  readonly place: SyncPlace;
}

/** The spans in order, without overlaps; between them is time that is recorded nowhere and was not to be. */
export function placesOf({ window, files, here, open, should }: PlaceSources): PlaceSpan[] {
  const merged = (ranges: readonly TimeRange[]): TimeRange[] => clipAll(mergeRanges(ranges, RANGE_JOIN_MS), window);
  const onDevice = merged(files.filter(({ isGone }) => !isGone));
  const onServer = merged(here);
  const deviceAlone = subtract(onDevice, onServer);
  const due = intersect(deviceAlone, merged(open));
  const goneAlone = subtract(subtract(merged(files.filter(({ isGone }) => isGone)), onDevice), onServer);
  const missing = subtract(subtract(subtract(merged(should), onServer), onDevice), goneAlone);
  const ranges: Readonly<Record<SyncPlace, readonly TimeRange[]>> = {
    both: intersect(onDevice, onServer),
    server: subtract(onServer, onDevice),
    due,
    device: subtract(deviceAlone, due),
    gone: goneAlone,
    missing,
  };
  return SYNC_PLACES.flatMap((place) => ranges[place].map(({ fromMs, toMs }) => ({ fromMs, toMs, place }))).sort(
    (left, right) => left.fromMs - right.fromMs,
  );
}

/** Milliseconds of each place in a part of the spans, in the order of SYNC_PLACES. */
export function lengthsOf(spans: readonly PlaceSpan[], window: TimeRange): number[] {
  return SYNC_PLACES.map((place) =>
    Math.round(
      lengthOf(
        clipAll(
          spans.filter((span) => span.place === place),
          window,
        ),
      ),
    ),
  );
}

export interface RecordedSince {
  readonly addedAtMs: number;
  /** Begin of the server's first recording of the device; undefined: it has none. */
  readonly firstMs: number | undefined;
  readonly nowMs: number;
}

/**
 * The part of a window in which a recording can be missing: from when the server began to record the device until now. Earlier recordings
 * were never to be here, or their retention is over.
 */
export function recordedTime(window: TimeRange, { addedAtMs, firstMs, nowMs }: RecordedSince): TimeRange | undefined {
  if (firstMs === undefined) return undefined;
  const fromMs = Math.max(window.fromMs, addedAtMs, firstMs);
  const toMs = Math.min(window.toMs, nowMs);
  return fromMs < toMs ? { fromMs, toMs } : undefined;
}
