// Old data usage: hours are deleted long before the days that contain them.
import { NETFLOW_HOURS_KEPT_DAYS, NETFLOW_KEPT_MONTHS } from '../../shared/protocol/api/netflow/netflow.ts';
import { dayNumber } from '../../shared/protocol/timeZones.ts';
import { Rounds, type RoundsOptions } from '../faults/rounds.ts';
import type { NetflowUseStore } from '../store/netflow/netflowUse.ts';

export interface NetflowRetentionDeps extends Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  readonly store: Pick<NetflowUseStore, 'removeHoursBefore' | 'removeDaysBefore' | 'removeWithheldBefore'>;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
const INTERVAL_MS = 60 * 60_000;
const FIRST_DELAY_MS = 2 * 60_000;

export function startNetflowRetention({ store, now, ...timing }: NetflowRetentionDeps): Rounds {
  const rounds: Rounds = new Rounds({
    ...timing,
    work: async () => {
      const nowMs = now();
      await store.removeHoursBefore(nowMs - NETFLOW_HOURS_KEPT_DAYS * DAY_MS);
      if (rounds.isClosed) return;
      await store.removeDaysBefore(firstKeptDay(nowMs));
      await store.removeWithheldBefore(firstKeptMs(nowMs));
    },
    failure: 'old data usage could not be deleted',
    intervalMs: INTERVAL_MS,
    delayMs: FIRST_DELAY_MS,
  });
  return rounds;
}

/** YYYYMMDD. */
export function firstKeptDay(nowMs: number): number {
  return dayNumber(firstKeptMs(nowMs), 'UTC');
}

function firstKeptMs(nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - NETFLOW_KEPT_MONTHS];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  // A day that the shorter month does not have would roll over into the month after it.
  return Date.UTC(year, month, Math.min(now.getUTCDate(), lastDay));
}
