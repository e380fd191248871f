// The times that a list is read in, one after the other: few days first, where most pages end, and then ever more. PostgreSQL would
// otherwise look for a first event in every month before it gives one. Pure.

import type { EventSort } from '../../../../shared/protocol/api/events.ts';
import { SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';
import type { PageRequest } from '../../engine/listPage.ts';
import { SEVERITY_STEP } from './severityOrder.ts';

export interface EventWindow {
  readonly severities?: readonly Severity[] | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

const DAY_MS = 86_400_000;
const GROWTH = 4;
/** Some thirteen months; what is further away is one window. */
const WINDOWS = 5;

/** `edgeMs`: of the event that the list would begin with, where neither its period nor the position tells a time. */
export function windowsOf(
  filter: EventWindow,
  walk: Omit<PageRequest<EventSort>, 'limit'>,
  edgeMs: number,
): readonly EventWindow[] {
  const isDownward = walk.descending !== (walk.position.at === 'before');
  const positionOf = timeOfPosition(walk);
  const windowsWithin = (
    severities: EventWindow['severities'],
    positionMs: number | undefined,
  ): readonly EventWindow[] =>
    periodsOf({ ...filter, positionMs, edgeMs }, isDownward).map((period) => ({ ...period, severities }));
  if (walk.sort === 'time') return windowsWithin(filter.severities, positionOf(undefined));
  const chosen = SEVERITIES.filter((severity) => filter.severities?.includes(severity) !== false);
  const inOrder = isDownward ? chosen : chosen.toReversed();
  return inOrder.flatMap((severity) => windowsWithin([severity], positionOf(severity)));
}

/** In an order by severity a position has a time for one of them. */
function timeOfPosition({ sort, position }: Omit<PageRequest<EventSort>, 'limit'>) {
  const value = position.at === 'offset' ? undefined : Number(position.values[0]);
  return (severity: Severity | undefined): number | undefined => {
    if (value === undefined || sort === 'time' || severity === undefined) return value;
    const level = SEVERITIES.length - 1 - SEVERITIES.indexOf(severity);
    return Math.floor(value / SEVERITY_STEP) === level ? value % SEVERITY_STEP : undefined;
  };
}

interface Bounds {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly positionMs: number | undefined;
  readonly edgeMs: number;
}

type Period = Pick<Bounds, 'fromMs' | 'toMs'>;

function periodsOf({ fromMs, toMs, positionMs, edgeMs }: Bounds, isDownward: boolean): readonly Period[] {
  // The event at the position may have others beside it.
  const begin = isDownward ? lowest([toMs, positionMs && positionMs + 1]) : highest([fromMs, positionMs]);
  const end = isDownward ? fromMs : toMs;
  const periods: Period[] = [];
  let near = begin;
  let length = DAY_MS;
  let far = begin ?? edgeMs;
  for (let count = 0; count < WINDOWS; count++, length *= GROWTH) {
    far += isDownward ? -length : length;
    if (end !== undefined && (isDownward ? far <= end : far >= end)) break;
    periods.push(isDownward ? { fromMs: far, toMs: near } : { fromMs: near, toMs: far });
    near = far;
  }
  return [...periods, isDownward ? { fromMs: end, toMs: near } : { fromMs: near, toMs: end }];
}

function lowest(times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

function highest(times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : Math.max(...given);
}
