// The metrics that the chart can show, and their values at one moment. Pure.
import { TRACK_GAP_MS, type TrackChart } from '../../../../shared/protocol/api/tracks/track.ts';

export const METRICS = ['speed', 'altitude', 'fuel', 'cabin', 'ignition', 'signal'] as const;
export type Metric = (typeof METRICS)[number];

export type MetricValues = readonly (number | null)[];

function valuesOf(chart: TrackChart, metric: Metric): MetricValues {
  switch (metric) {
    case 'speed':
      return chart.speedMax;
    case 'altitude':
      return chart.altitude;
    case 'fuel':
      return chart.fuelLiters;
    case 'cabin':
      return chart.cabinCelsius;
    case 'ignition':
      return chart.ignition;
    case 'signal':
      return chart.signal;
  }
}

/** The metrics with reported values. Speed is always included. */
export function reportedMetrics(chart: TrackChart): readonly Metric[] {
  return METRICS.filter((metric) => metric === 'speed' || valuesOf(chart, metric).some((value) => value !== null));
}

export function chartTimes({ fromMs, stepMs, speedMax }: TrackChart): readonly number[] {
  // In the middle of its step a value is nearest to all that it stands for.
  return speedMax.map((_value, at) => fromMs + (at + 0.5) * stepMs);
}

/**
 * The drawn values. Where little time is shown, a step is shorter than the time between two reports: between them the line goes straight
 * on, unless they are so far apart that there is a gap.
 */
export function drawnValues(chart: TrackChart, metric: Metric): MetricValues {
  const drawn = [...valuesOf(chart, metric)];
  let last = -1;
  for (const [at, value] of drawn.entries()) {
    if (value === null) continue;
    const before = drawn[last];
    if (before != null && (at - last) * chart.stepMs <= TRACK_GAP_MS) {
      const rise = (value - before) / (at - last);
      for (let between = last + 1; between < at; between++) drawn[between] = before + rise * (between - last);
    }
    last = at;
  }
  return drawn;
}

/** The last reported value. Null where it is so old that there is a gap, and outside the chart. */
export function valueAt(chart: TrackChart, metric: Metric, atMs: number): number | null {
  const values = valuesOf(chart, metric);
  const step = Math.floor((atMs - chart.fromMs) / chart.stepMs);
  if (step >= values.length) return null;
  for (let at = step; at >= 0 && (step - at) * chart.stepMs <= TRACK_GAP_MS; at--) {
    const value = values[at];
    if (value != null) return value;
  }
  return null;
}
