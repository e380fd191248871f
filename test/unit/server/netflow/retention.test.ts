import { describe, expect, it } from 'vitest';
import { firstKeptDay, startNetflowRetention } from '../../../../server/netflow/retention.ts';
import { settled } from '../device/jt808/fakeTerminal.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 2, 31, 14, 30);
const FIRST_KEPT_MS = Date.UTC(2025, 1, 28);

describe('the first day of data usage that is kept', () => {
  it.each([
    ['2026-11-23', 20251023],
    ['2026-01-01', 20241201],
    ['2026-03-31', 20250228],
    ['2025-03-29', 20240229],
    ['2026-07-31', 20250630],
  ])('is on %s %i', (day, expected) => expect(firstKeptDay(Date.parse(`${day}T23:59:00Z`))).toBe(expected));
});

describe('old data usage', () => {
  /** Timers run when the test says so. */
  function start(removeHours: () => Promise<void> = async () => undefined) {
    const removed: [string, number][] = [];
    const faults: Error[] = [];
    const timers: { readonly delayMs: number; readonly run: () => void }[] = [];
    const rounds = startNetflowRetention({
      store: {
        removeHoursBefore: async (hourMs) => {
          removed.push(['hours', hourMs]);
          await removeHours();
        },
        removeDaysBefore: async (day) => void removed.push(['days', day]),
        removeWithheldBefore: async (toMs) => void removed.push(['withheld', toMs]),
      },
      now: () => NOW_MS,
      runAfter: (delayMs, run) => {
        timers.push({ delayMs, run });
        return () => undefined;
      },
      onFault: (fault) => faults.push(fault),
    });
    const nextRound = async (): Promise<number> => {
      const timer = timers.shift();
      timer?.run();
      await settled();
      return timer?.delayMs ?? Number.NaN;
    };
    return { rounds, removed, faults, nextRound };
  }

  const ALL = [
    ['hours', NOW_MS - 35 * DAY_MS],
    ['days', 20250228],
    ['withheld', FIRST_KEPT_MS],
  ];

  it('is deleted two minutes after the start and then each hour: hours after 35 days, the rest after 13 months', async () => {
    const { removed, nextRound } = start();
    expect(await nextRound()).toBe(120_000);
    expect(removed).toEqual(ALL);
    expect(await nextRound()).toBe(3_600_000);
    expect(removed).toEqual([...ALL, ...ALL]);
  });

  it('is tried again after a failure, which is reported', async () => {
    let isAway = true;
    const { removed, faults, nextRound } = start(async () => {
      if (isAway) throw new Error('away');
    });
    await nextRound();
    expect(faults.map(({ message }) => message)).toEqual(['old data usage could not be deleted']);
    isAway = false;
    removed.length = 0;
    await nextRound();
    expect(removed).toEqual(ALL);
  });

  it('is left where it is when the gateway ends', async () => {
    const scene = start(async () => {
      void scene.rounds.close();
    });
    await scene.nextRound();
    expect(scene.removed).toEqual([['hours', NOW_MS - 35 * DAY_MS]]);
  });
});
