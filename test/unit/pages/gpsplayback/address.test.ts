import { describe, expect, it } from 'vitest';
import { isTooLong, rangeOfDays, spanOf } from '../../../../pages/innerpage/gpsplayback/view/period.ts';
import {
  queryOfView,
  viewOfQuery,
  withDevice,
  withoutDevice,
} from '../../../../pages/innerpage/gpsplayback/view/playbackAddress.ts';
import { MAX_TRACK_SPAN_MS } from '../../../../shared/protocol/api/tracks/track.ts';

const ZONE = 'Asia/Taipei';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Wednesday, 2026-11-25 10:00:30 in Taipei. */
const NOW_MS = Date.UTC(2026, 10, 25, 2, 0, 30);
const MIDNIGHT_MS = Date.UTC(2026, 10, 24, 16);
const NO_RANGE = { fromMs: 0, toMs: 0 };

describe('the period', () => {
  it('ends with the present minute while it is under way', () => {
    const presentMs = NOW_MS + 30_000;
    expect(spanOf({ period: 'today', ...NO_RANGE }, ZONE, NOW_MS)).toEqual({ fromMs: MIDNIGHT_MS, toMs: presentMs });
    expect(spanOf({ period: 'week', ...NO_RANGE }, ZONE, NOW_MS)).toEqual({
      fromMs: MIDNIGHT_MS - 2 * DAY_MS,
      toMs: presentMs,
    });
  });

  it('is whole days of the reader when it is over', () => {
    expect(spanOf({ period: 'yesterday', ...NO_RANGE }, ZONE, NOW_MS)).toEqual({
      fromMs: MIDNIGHT_MS - DAY_MS,
      toMs: MIDNIGHT_MS,
    });
    expect(spanOf({ period: 'lastweek', ...NO_RANGE }, ZONE, NOW_MS)).toEqual({
      fromMs: MIDNIGHT_MS - 9 * DAY_MS,
      toMs: MIDNIGHT_MS - 2 * DAY_MS,
    });
  });

  it('has the hours that the day has', () => {
    // Summer time ends in Berlin: the day has 25.
    const span = spanOf({ period: 'yesterday', ...NO_RANGE }, 'Europe/Berlin', Date.UTC(2026, 9, 26, 12));
    expect(span.toMs - span.fromMs).toBe(25 * HOUR_MS);
  });

  it('is no longer than a query may be', () => {
    const range = { period: 'range', fromMs: 0, toMs: 90 * DAY_MS } as const;
    expect([spanOf(range, ZONE, NOW_MS).toMs, isTooLong(range)]).toEqual([MAX_TRACK_SPAN_MS, true]);
  });

  it('is of days when both are days, in their order', () => {
    expect(rangeOfDays('2026-11-25', '2026-11-25', ZONE)).toEqual({ fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + DAY_MS });
    expect(rangeOfDays('2026-11-25', '2026-11-24', ZONE)).toBeUndefined();
    expect(rangeOfDays('', '2026-11-24', ZONE)).toBeUndefined();
  });
});

describe('the address', () => {
  it.each([
    '',
    'device=BUS1',
    'device=BUS1&device=a%26b&chosen=a%26b&period=lastweek&at=5',
    'device=BUS1&from=1000&to=2000&at=1500',
  ])('says what is shown: %s', (query) => {
    expect(queryOfView(viewOfQuery(query))).toBe(query);
  });

  it('ignores what it does not know', () => {
    const query = 'device=&device=A&device=A&chosen=B&period=decade&from=9&to=1&at=soon';
    expect(viewOfQuery(query)).toEqual({
      deviceIds: ['A'],
      chosenId: 'A',
      atMs: undefined,
      period: 'today',
      fromMs: 0,
      toMs: 0,
    });
  });

  it('has at most eight devices', () => {
    const query = Array.from({ length: 12 }, (_each, at) => `device=D${at}`).join('&');
    const view = viewOfQuery(query);
    expect(view.deviceIds).toHaveLength(8);
    expect(withDevice(view, 'D11')).toBe(view);
    expect(withDevice(view, 'D3').chosenId).toBe('D3');
  });

  it('chooses another device when the chosen one goes', () => {
    const view = viewOfQuery('device=A&device=B&chosen=B');
    expect(withoutDevice(view, 'B')).toMatchObject({ deviceIds: ['A'], chosenId: 'A' });
    expect(withoutDevice(view, 'A')).toMatchObject({ deviceIds: ['B'], chosenId: 'B' });
  });
});
