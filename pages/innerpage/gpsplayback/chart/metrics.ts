// What the chart can show, and what it says of one moment. Pure.
import type { TrackChart } from '../../../../shared/protocol/api/tracks/track.ts';

export const METRICS = ['speed', 'altitude', 'fuel', 'cabin', 'ignition', 'signal'] as const;
export type Metric = (typeof METRICS)[number];

export type MetricValues = readonly (number | null)[];

export function valuesOf(chart: TrackChart, metric: Metric): MetricValues {
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

/** Those of which something was reported. Speed always. */
export function reportedMetrics(chart: TrackChart): readonly Metric[] {
  return METRICS.filter((metric) => metric === 'speed' || valuesOf(chart, metric).some((value) => value !== null));
}

export function chartTimes({ fromMs, stepMs, speedMax }: TrackChart): readonly number[] {
  // In the middle of its step a value is nearest to all that it stands for.
  return speedMax.map((_value, at) => fromMs + (at + 0.5) * stepMs);
}

/** Null where nothing was reported in the step. */
export function valueAt(chart: TrackChart, metric: Metric, atMs: number): number | null {
  return valuesOf(chart, metric)[Math.floor((atMs - chart.fromMs) / chart.stepMs)] ?? null;
}
