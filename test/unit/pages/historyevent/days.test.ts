import { describe, expect, it } from 'vitest';
import {
  countedSpan,
  dayCounts,
  type SeverityCounts,
  sumOf,
  totalOf,
} from '../../../../pages/innerpage/historyevent/days/dayCounts.ts';
import { EVENT_DAYS_MAX } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-23T10:00:00Z');
const counts = (critical: number): SeverityCounts => ({ critical, major: 0, minor: 1, info: 0 });

describe('events by day', () => {
  it('are asked for with both ends, to the end of today where the period has none', () => {
    const from = NOW - 24 * HOUR_MS;
    expect(countedSpan({ fromMs: from, toMs: undefined }, 'Asia/Taipei', NOW)).toEqual({
      fromMs: from,
      toMs: Date.parse('2026-11-23T16:00:00Z'),
      isCut: false,
    });
    expect(countedSpan({ fromMs: 5, toMs: 9 }, 'UTC', NOW)).toEqual({ fromMs: 5, toMs: 9, isCut: false });
  });

  it('are counted no further back than the call goes, which is said', () => {
    const span = countedSpan({ fromMs: undefined, toMs: NOW }, 'UTC', NOW);
    expect(span.isCut).toBe(true);
    expect(span.toMs - span.fromMs).toBeLessThanOrEqual(EVENT_DAYS_MAX * 24 * HOUR_MS);
    expect(countedSpan({ fromMs: 0, toMs: NOW }, 'UTC', NOW)).toEqual(span);
    expect(dayCounts([], span, 'UTC')).toHaveLength(EVENT_DAYS_MAX);
  });

  it('have a count for each day of the span, in the zone of the user, also where clocks change', () => {
    const span = { fromMs: Date.parse('2026-10-23T22:00:00Z'), toMs: Date.parse('2026-10-26T23:00:00Z'), isCut: false };
    const days = [
      { fromMs: wallMs(Date.parse('2026-10-24T22:00:00Z')), counts: counts(2) },
      { fromMs: wallMs(Date.parse('2026-10-25T23:00:00Z')), counts: counts(3) },
    ];
    const all = dayCounts(days, span, 'Europe/Berlin');
    expect(all.map(({ day, counts: of }) => [day, totalOf(of)])).toEqual([
      ['2026-10-24', 0],
      ['2026-10-25', 3],
      ['2026-10-26', 4],
    ]);
    expect(sumOf(all)).toBe(7);
  });

  it('of a period within a day are one', () => {
    const span = { fromMs: NOW, toMs: NOW + 1, isCut: false };
    expect(dayCounts([], span, 'UTC').map(({ day }) => day)).toEqual(['2026-11-23']);
  });
});
