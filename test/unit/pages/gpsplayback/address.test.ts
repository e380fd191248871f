import { describe, expect, it } from 'vitest';
import { isTooLong, rangeOf, spanOf, typedRange } from '../../../../pages/innerpage/gpsplayback/view/period.ts';
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
    const days = (fromDay: string, toDay: string) => rangeOf({ fromDay, fromTime: '', toDay, toTime: '' }, ZONE);
    expect(days('2026-11-25', '2026-11-25')).toEqual({ fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + DAY_MS });
    expect(days('2026-11-25', '2026-11-24')).toBeUndefined();
    expect(days('', '2026-11-24')).toBeUndefined();
  });

  it.each([
    ['08:30', '09:15', 8.5, 9.25],
    ['', '00:01', 0, 1 / 60],
    ['23:59', '', 23 + 59 / 60, 24],
  ])('is from %j to %j o’clock, as it is typed', (fromTime, toTime, fromHours, toHours) => {
    const day = '2026-11-25';
    const typed = { fromDay: day, fromTime, toDay: day, toTime };
    const range = rangeOf(typed, ZONE) ?? expect.fail('no range');
    expect(range).toEqual({ fromMs: MIDNIGHT_MS + fromHours * HOUR_MS, toMs: MIDNIGHT_MS + toHours * HOUR_MS });
    expect(typedRange(range, ZONE)).toEqual(typed);
  });

  it('is none with times in the wrong order, or that are none', () => {
    const on = (fromTime: string, toTime: string) =>
      rangeOf({ fromDay: '2026-11-25', fromTime, toDay: '2026-11-25', toTime }, ZONE);
    expect([on('09:00', '08:59'), on('09:00', '09:00'), on('25:00', ''), on('', '9')]).toEqual(
      Array(4).fill(undefined),
    );
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
