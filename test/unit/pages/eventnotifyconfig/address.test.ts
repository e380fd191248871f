import { describe, expect, test } from 'vitest';
import {
  queryOfView,
  startOfPeriod,
  viewOfQuery,
} from '../../../../pages/innerpage/eventnotifyconfig/notifyAddress.ts';

describe('the address', () => {
  test.each([
    '',
    'tab=messages',
    'tab=messages&period=7d&state=failed&sender=3&rule=12&device=BUS+1',
    'tab=messages&event=7',
    'tab=explain&event=90071992547',
  ])('says what is shown: %j', (query) => {
    expect(queryOfView(viewOfQuery(query))).toBe(query);
  });

  test.each([
    ['tab=else', ''],
    ['tab=messages&state=lost&period=1y', 'tab=messages'],
    ['tab=messages&sender=x&rule=0', 'tab=messages'],
    ['tab=explain&event=-1', 'tab=explain'],
    ['event=1e3', ''],
  ])('keeps nothing of what it does not know: %j', (query, known) => {
    expect(queryOfView(viewOfQuery(query))).toBe(known);
  });

  test('counts a period back from whole minutes, so that one question is asked again', () => {
    const nowMs = Date.UTC(2026, 10, 24, 12, 30, 45, 678);
    expect(startOfPeriod('', nowMs)).toBeUndefined();
    expect(startOfPeriod('24h', nowMs)).toBe(Date.UTC(2026, 10, 23, 12, 30));
    expect(startOfPeriod('7d', nowMs)).toBe(Date.UTC(2026, 10, 17, 12, 30));
    expect(startOfPeriod('30d', nowMs + 10_000)).toBe(startOfPeriod('30d', nowMs));
  });
});
