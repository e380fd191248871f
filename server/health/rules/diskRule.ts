import type { HealthState } from '../../../shared/protocol/health/healthWords.ts';
import type { Judgment } from '../healthSource.ts';
import type { Forecast } from './diskForecast.ts';
import { figure, limited } from './figures.ts';

const GIGABYTE = 1024 ** 3;
/** Least free share of a disk on which nothing frees space by itself: below it, a larger disk is needed. */
const LEAST_SHARE = 0.1;
const LEAST_BYTES = 10 * GIGABYTE;
/** Share of that minimum below which writes are about to fail. */
const PROBLEM_SHARE = 0.5;
const FORECAST_WARNING_DAYS = 14;
const FORECAST_PROBLEM_DAYS = 3;

export interface DiskFacts {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly forecast: Forecast;
  /**
   * The space that recordings on the same disk keep free by deleting the oldest: such a disk is normally full down to this floor.
   * Undefined: no recordings are on the disk.
   */
  readonly recordingFloorBytes: number | undefined;
}

/** Null: the folder can't be read, for example because its disk is gone. */
export function judgeDisk(facts: DiskFacts | null): Judgment {
  if (facts === null) return { state: 'problem', values: [], advice: 'connect-disk' };
  const { freeBytes, totalBytes, forecast } = facts;
  const leastBytes = leastBytesOf(facts);
  const days = typeof forecast === 'number' ? Math.floor(forecast * 10) / 10 : null;
  const values = [
    limited(['free', 'bytes'], freeBytes, ['least', leastBytes]),
    figure(['total', 'bytes'], totalBytes),
    limited(['days-until-full', 'days'], days, ['least', FORECAST_WARNING_DAYS]),
  ];
  const space = stateBelow(freeBytes, leastBytes, leastBytes * PROBLEM_SHARE);
  const time = days === null ? 'ok' : stateBelow(days, FORECAST_WARNING_DAYS, FORECAST_PROBLEM_DAYS);
  if (space !== 'ok') return { state: time === 'problem' ? time : space, values, advice: 'free-disk' };
  return { state: time, values, advice: time === 'ok' ? '' : 'plan-disk' };
}

/** The recorder frees room at its floor, late by a segment or two. */
function leastBytesOf({ totalBytes, recordingFloorBytes }: DiskFacts): number {
  if (recordingFloorBytes !== undefined) return Math.floor(recordingFloorBytes / 2);
  return Math.floor(Math.min(LEAST_BYTES, totalBytes * LEAST_SHARE));
}

function stateBelow(value: number, warning: number, problem: number): HealthState {
  if (value >= warning) return 'ok';
  return value < problem ? 'problem' : 'warning';
}
