import type { TrackLine } from '../../../shared/protocol/api/tracks/track.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { type ReadingTurns, readUntilGone, type TrackReading } from '../trackReading.ts';
import { inGatewayOrder, type TrackQuery } from './gatewayOrder.ts';
import { LINE_FIELDS, LineBuilder, type LineOptions } from './lineBuilder.ts';
import type { LinePoints } from './linePoints.ts';

/** The simplified line of a span. Throws when nobody waits for it any more. */
export async function readLine(
  reading: TrackReading,
  { query, options }: { readonly query: TrackQuery; readonly options: LineOptions },
  { yieldIfDue, gone }: ReadingTurns,
): Promise<TrackLine> {
  const builder = new LineBuilder(options);
  const run = async <Result>(steps: Generator<void, Result>): Promise<Result> => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const pause = yieldIfDue();
      if (pause === undefined) continue;
      await pause;
      gone.throwIfAborted();
    }
  };
  for await (const columns of inGatewayOrder(readUntilGone(reading, gone), query, LINE_FIELDS)) {
    await run(builder.add(columns));
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  const line = await run(builder.finish());
  return { ...toLists(line), positions: builder.positions, isCoarse: builder.isCoarse, clock: clockOf(query) };
}

export function clockOf({ clock, fromMs, toMs }: TrackQuery): TrackLine['clock'] {
  return clock.stepsIn(fromMs, toMs).map((step) => ({ fromMs: wallMs(step.fromMs), offsetMs: step.offsetMs }));
}

function toLists(line: LinePoints): Omit<TrackLine, 'positions' | 'isCoarse' | 'clock'> {
  const listOf = (column: Float64Array): number[] => Array.from(column.subarray(0, line.count));
  const knownOf = (column: Float64Array): (number | null)[] =>
    Array.from(column.subarray(0, line.count), (value) => (Number.isNaN(value) ? null : value));
  const gaps: number[] = [];
  for (let at = 0; at < line.count; at++) if (line.isAfterGap[at] === 1) gaps.push(at);
  return {
    atMs: listOf(line.atMs).map(wallMs),
    lat: listOf(line.lat),
    lng: listOf(line.lng),
    speedKmh: knownOf(line.speedKmh),
    headingDeg: knownOf(line.headingDeg),
    gaps,
  };
}
