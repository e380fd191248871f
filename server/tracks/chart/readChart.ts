import type { TrackChart } from '../../../shared/protocol/api/tracks/track.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { inGatewayOrder, type TrackQuery } from '../line/gatewayOrder.ts';
import { type ReadingTurns, readUntilGone, type TrackReading } from '../trackReading.ts';
import { CHART_FIELDS, ChartBuilder } from './chartBuilder.ts';

/** The drawn series of a track, without the device's speed limit. */
export type TrackSeries = Omit<TrackChart, 'speedLimitKmh'>;

/** The series of a span in that many steps. Throws when nobody waits for them any more. */
export async function readChart(
  reading: TrackReading,
  { query, steps }: { readonly query: TrackQuery; readonly steps: number },
  { yieldIfDue, gone }: ReadingTurns,
): Promise<TrackSeries> {
  const { fromMs, toMs } = query;
  const builder = new ChartBuilder({ fromMs, toMs, steps });
  for await (const columns of inGatewayOrder(readUntilGone(reading, gone), query, CHART_FIELDS)) {
    builder.add(columns);
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return { fromMs: wallMs(fromMs), stepMs: builder.stepMs, ...builder.series() };
}
