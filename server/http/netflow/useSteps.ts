// Data usage put together to the steps of a chart. Pure.
import type { NetflowStep } from '../../../shared/protocol/api/netflow/netflow.ts';
import { NETFLOW_KINDS } from '../../../shared/protocol/netflow/netflowWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { startOfDay, wallClockMs } from '../../../shared/protocol/timeZones.ts';
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

export interface UsePoints {
  readonly hours: readonly UsePoint[];
  /** At YYYYMMDD, of the devices' own zones. */
  readonly days: readonly UsePoint[];
}

export function stepsOf({ hours, days }: UsePoints, step: NetflowStep, timeZone: string): UseStep[] {
  const steps = new Map<number, UseStep>();
  const add = (fromMs: number, { kind, receivedBytes, sentBytes }: UsePoint): void => {
    const known = steps.get(fromMs) ?? { fromMs: wallMs(fromMs), kinds: NETFLOW_KINDS.map(() => 0) };
    known.kinds[kind] = (known.kinds[kind] ?? 0) + receivedBytes + sentBytes;
    steps.set(fromMs, known);
  };
  // Few hours have many points: the zone is asked once for each.
  const beginOf = remembered((at: number) => stepBegin(dayOfMoment(at, timeZone), step, timeZone));
  const beginOfDay = remembered((day: number) => stepBegin(dayOfNumber(day), step, timeZone));
  for (const point of hours) add(step === 'hour' ? point.at : beginOf(point.at), point);
  for (const point of days) add(beginOfDay(point.at), point);
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

function dayOfMoment(atMs: number, timeZone: string): number {
  return Math.floor(wallClockMs(atMs, timeZone) / DAY_MS);
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
