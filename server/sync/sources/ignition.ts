// The times at which the ignition of a device was on, by its positions.
import { mergeRanges, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll } from '../../../shared/protocol/timeSpans.ts';
import type { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { PositionStore } from '../../store/fleet/positions.ts';

export interface IgnitionQuery extends TimeRange {
  readonly incarnation: number;
  readonly clock: DeviceClock;
}

/** Bit of the status word. */
const IGNITION_BIT = 1;
/** A longer gap between positions says nothing about the ignition meanwhile. */
const TRACK_GAP_MS = 5 * 60_000;

/** The spans by the gateway's clock, in order and apart. */
export async function ignitionSpans(
  { columns }: Pick<PositionStore, 'columns'>,
  { incarnation, clock, fromMs, toMs }: IgnitionQuery,
): Promise<TimeRange[]> {
  const spans: TimeRange[] = [];
  let onSinceMs: number | undefined;
  for (const span of clock.deviceSpans(fromMs, toMs)) {
    const range = { fromMs: bounded(span.fromMs), toMs: bounded(span.toMs) };
    for await (const { deviceTimeMs, statusBits } of columns(incarnation, range, ['statusBits'])) {
      for (const [at, deviceMs] of deviceTimeMs.entries()) {
        const atMs = clock.toGateway(deviceMs);
        if (onSinceMs !== undefined && atMs > onSinceMs && atMs - onSinceMs <= TRACK_GAP_MS) {
          spans.push({ fromMs: onSinceMs, toMs: atMs });
        }
        onSinceMs = ((statusBits[at] ?? 0) & IGNITION_BIT) === 0 ? undefined : atMs;
      }
    }
  }
  return clipAll(mergeRanges(spans, 0), { fromMs, toMs });
}

/** Spans of a clock that was never measured are unbounded, and can't be compared with a column. */
function bounded(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), Number.MAX_SAFE_INTEGER);
}
