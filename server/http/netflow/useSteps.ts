// Data usage put together to the steps of a chart. Pure.
import type { NetflowStep } from '../../../shared/protocol/api/netflow/netflow.ts';
import { NETFLOW_KINDS } from '../../../shared/protocol/netflow/netflowWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { startOfDay } from '../../../shared/protocol/timeZones.ts';
import type { UsePoint } from '../../store/netflow/netflowSeries.ts';

const DAY_MS = 86_400_000;

export interface UseStep {
  readonly fromMs: WallMs;
  /** Both ways. */
  readonly kinds: number[];
}

export interface UseHour {
  readonly fromMs: WallMs;
  readonly received: number[];
  readonly sent: number[];
}

/** `points`: at hours for steps of an hour, at days otherwise. The days of all devices are put on the reader's, whose zone it is. */
export function stepsOf(points: readonly UsePoint[], step: NetflowStep, timeZone: string): UseStep[] {
  const steps = new Map<number, UseStep>();
  const beginOf = remembered((at) => (step === 'hour' ? at : stepBegin(dayOfNumber(at), step, timeZone)));
  for (const { at, kind, receivedBytes, sentBytes } of points) {
    const fromMs = beginOf(at);
    const known = steps.get(fromMs) ?? { fromMs: wallMs(fromMs), kinds: NETFLOW_KINDS.map(() => 0) };
    steps.set(fromMs, known);
    known.kinds[kind] = (known.kinds[kind] ?? 0) + receivedBytes + sentBytes;
  }
  return [...steps.values()].sort((left, right) => left.fromMs - right.fromMs);
}

export function hoursOf(points: readonly UsePoint[]): UseHour[] {
  const hours = new Map<number, UseHour>();
  for (const { at, kind, receivedBytes, sentBytes } of points) {
    const none = (): number[] => NETFLOW_KINDS.map(() => 0);
    const hour = hours.get(at) ?? { fromMs: wallMs(at), received: none(), sent: none() };
    hour.received[kind] = receivedBytes;
    hour.sent[kind] = sentBytes;
    hours.set(at, hour);
  }
  return [...hours.values()].sort((left, right) => left.fromMs - right.fromMs);
}

/** Few steps have many points, and asking for a zone takes long. */
function remembered(of: (at: number) => number): (at: number) => number {
  const known = new Map<number, number>();
  return (at) => {
    const before = known.get(at);
    if (before !== undefined) return before;
    const value = of(at);
    known.set(at, value);
    return value;
  };
}

/** YYYYMMDD to days since 1970. */
function dayOfNumber(number: number): number {
  return Date.UTC(Math.floor(number / 10_000), (Math.floor(number / 100) % 100) - 1, number % 100) / DAY_MS;
}

function stepBegin(day: number, step: NetflowStep, timeZone: string): number {
  const date = new Date(day * DAY_MS);
  const first = step === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS : day;
  return startOfDay(first, timeZone);
}
