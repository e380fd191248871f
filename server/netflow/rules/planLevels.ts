// How much of a data plan is used up, and what is told of it. Pure.
import { PLAN_LEVELS_PERCENT } from '../../../shared/protocol/netflow/netflowWords.ts';

const BYTES_OF_MEGABYTE = 1_000_000;

export function planBytes(megabytes: number): number {
  return megabytes * BYTES_OF_MEGABYTE;
}

/** With what the network adds to the payload that the sockets count. */
export function withOverhead(payloadBytes: number, overheadPercent: number): number {
  return Math.round(payloadBytes * (1 + overheadPercent / 100));
}

/** The highest level that is reached; 0 for none. */
export function levelOf(usedBytes: number, allowedBytes: number): number {
  return PLAN_LEVELS_PERCENT.findLast((percent) => usedBytes * 100 >= allowedBytes * percent) ?? 0;
}

/** What was told of one period. */
export interface Told {
  readonly fromMs: number;
  readonly percent: number;
  readonly forecast: boolean;
}

export interface PlanUse {
  /** Begin of the period. */
  readonly fromMs: number;
  readonly usedBytes: number;
  readonly forecastBytes: number | null;
  readonly allowedBytes: number;
}

export interface Telling {
  /** The level to tell of now, the highest alone; 0: none. */
  readonly percent: number;
  readonly forecast: boolean;
  /** What has been told then. */
  readonly told: Told;
}

/** Each level and the forecast are told once a period. A plan that is used up has no forecast to tell. */
export function toTell(told: Told, { fromMs, usedBytes, forecastBytes, allowedBytes }: PlanUse): Telling {
  const before = told.fromMs === fromMs ? told : { fromMs, percent: 0, forecast: false };
  const percent = levelOf(usedBytes, allowedBytes);
  const isNewLevel = percent > before.percent;
  const exceeds = forecastBytes !== null && forecastBytes > allowedBytes && usedBytes < allowedBytes;
  const isNewForecast = exceeds && !before.forecast;
  return {
    percent: isNewLevel ? percent : 0,
    forecast: isNewForecast,
    told: { fromMs, percent: Math.max(before.percent, percent), forecast: before.forecast || isNewForecast },
  };
}
