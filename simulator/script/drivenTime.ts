// How far a vehicle has come on its route when its script slows it down, stops it or lets it hurry, and how far it is off the route.
import { type Occurrence, occurrenceAt } from './timing.ts';
import type { ConditionStep, ScriptStep } from './vehicleScript.ts';

type RampStep = Extract<ConditionStep, { readonly kind: 'pace' | 'detour' }>;

export interface DrivenTime {
  /** Lead of the vehicle over one that never changes its pace; below 0 it is behind. */
  readonly aheadMs: number;
  /** 1 is as fast as usual. */
  readonly pace: number;
}

const RAMP_SECONDS: Readonly<Record<RampStep['kind'], number>> = { pace: 20, detour: 60 };

export function drivenTime(steps: readonly ScriptStep[], elapsedMs: number): DrivenTime {
  let aheadMs = 0;
  let pace = 1;
  for (const step of steps) {
    if (step.kind !== 'pace') continue;
    const occurrence = occurrenceAt(step, elapsedMs);
    if (occurrence === undefined) continue;
    const change = changeOf(step, occurrence, elapsedMs);
    aheadMs += (step.pace - 1) * change.sumMs;
    pace += (step.pace - 1) * change.share;
  }
  // Two steps that brake at once would make the vehicle drive backwards.
  return { aheadMs, pace: Math.max(0, pace) };
}

/** Distance to the right of the route, below 0 to the left. */
export function detourMeters(steps: readonly ScriptStep[], elapsedMs: number): number {
  let meters = 0;
  for (const step of steps) {
    if (step.kind !== 'detour') continue;
    const occurrence = occurrenceAt(step, elapsedMs);
    if (occurrence !== undefined) meters += step.meters * changeOf(step, occurrence, elapsedMs).share;
  }
  return meters;
}

/** The share of the step's change that applies now, 0 to 1, and its sum over all the time so far. */
interface Change {
  readonly share: number;
  readonly sumMs: number;
}

function changeOf(step: RampStep, { number, startMs }: Occurrence, elapsedMs: number): Change {
  const lengthMs = (step.forSeconds ?? step.everySeconds ?? Number.POSITIVE_INFINITY) * 1000;
  const rampMs = Math.min((step.rampSeconds ?? RAMP_SECONDS[step.kind]) * 1000, lengthMs / 2);
  const sinceMs = elapsedMs - startMs;
  // Earlier occurrences ran their full length, since each began when the one before it was over.
  const beforeMs = number === 0 ? 0 : number * (lengthMs - rampMs);
  const { share, sumMs } = trapezoid(sinceMs, { lengthMs, rampMs });
  return { share, sumMs: beforeMs + sumMs };
}

/** Rises over the ramp from 0 to 1, stays, and falls over a ramp as long; with the area under it up to `sinceMs`. */
function trapezoid(
  sinceMs: number,
  { lengthMs, rampMs }: { readonly lengthMs: number; readonly rampMs: number },
): Change {
  if (sinceMs < rampMs) return { share: sinceMs / rampMs, sumMs: sinceMs ** 2 / (2 * rampMs) };
  if (sinceMs <= lengthMs - rampMs) return { share: 1, sumMs: sinceMs - rampMs / 2 };
  const leftMs = Math.max(0, lengthMs - sinceMs);
  const missingMs = rampMs === 0 ? 0 : leftMs ** 2 / (2 * rampMs);
  return { share: rampMs === 0 || leftMs === 0 ? 0 : leftMs / rampMs, sumMs: lengthMs - rampMs - missingMs };
}
