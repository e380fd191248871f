// The online rate as a chart takes it: where nothing was measured the line has a hole. Pure.
import type { OnlineRate } from '../../../../shared/protocol/api/fleet.ts';

export interface ChartPoint {
  readonly atMs: number;
  /** Percent; null for a hole. */
  readonly percent: number | null;
}

export function chartPoints({ points, stepMs }: Pick<OnlineRate, 'points' | 'stepMs'>): ChartPoint[] {
  const all: ChartPoint[] = [];
  for (const { atMs, rate } of points) {
    const last = all.at(-1);
    if (last !== undefined && atMs - last.atMs > stepMs) all.push({ atMs: last.atMs + stepMs, percent: null });
    all.push({ atMs, percent: Math.round(rate * 1000) / 10 });
  }
  return all;
}
