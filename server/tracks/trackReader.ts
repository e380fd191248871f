// The lines and charts of tracks, which take more than a tenth of a second for a month: the gateway reads them in a thread.
import type { TrackLine } from '../../shared/protocol/api/tracks/track.ts';
import { readChart, type TrackSeries } from './chart/readChart.ts';
import type { TrackQuery } from './line/gatewayOrder.ts';
import type { LineOptions } from './line/lineBuilder.ts';
import { readLine } from './line/readLine.ts';
import type { ReadingTurns, TrackReading } from './trackReading.ts';

/** Rejects with the reason of `gone` once that is aborted: nobody waits for the answer any more. */
export interface TrackReader {
  line(query: TrackQuery, options: LineOptions, gone: AbortSignal): Promise<TrackLine>;
  chart(query: TrackQuery, steps: number, gone: AbortSignal): Promise<TrackSeries>;
}

/** Reads in this thread. `startTurns`: called for each read. */
export function createTrackReader(reading: TrackReading, startTurns: () => ReadingTurns['yieldIfDue']): TrackReader {
  return {
    line: (query, options, gone) => readLine(reading, { query, options }, { yieldIfDue: startTurns(), gone }),
    chart: (query, steps, gone) => readChart(reading, { query, steps }, { yieldIfDue: startTurns(), gone }),
  };
}
