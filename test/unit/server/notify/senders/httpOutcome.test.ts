import { describe, expect, it } from 'vitest';
import { resultOf, retryAfterMsOf } from '../../../../../server/notify/senders/http/httpOutcome.ts';

const NOW_MS = Date.UTC(2026, 10, 29, 10, 0, 0);
const answer = (status: number, retryAfter: string) => ({ status, reason: '', text: '', retryAfter });

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 29 Nov 2026 10:02:00 GMT', 120_000],
    ['Sunday, 29-Nov-26 10:02:00 GMT', 120_000],
    ['Sun Nov 29 10:02:00 2026', 120_000],
    ['Sun, 29 Nov 2026 09:00:00 GMT', 0],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    ['', 0],
  ])('%s is read', (retryAfter, wantedMs) => {
    expect(retryAfterMsOf({ retryAfter }, NOW_MS)).toBe(wantedMs);
  });

  it('with a date is on the clock of the other side, where it says what that is', () => {
    const given = { retryAfter: 'Sun, 29 Nov 2026 12:02:00 GMT', date: 'Sun, 29 Nov 2026 12:00:00 GMT' };
    expect(retryAfterMsOf(given, NOW_MS)).toBe(120_000);
  });

  it('holds up other messages where it is about the caller or the server, and says nothing of what was taken', () => {
    expect(resultOf(answer(429, '7'), NOW_MS)).toMatchObject({ outcome: 'retry', retryAfterMs: 7_000, isBusy: true });
    expect(resultOf(answer(503, '7'), NOW_MS)).toMatchObject({ outcome: 'retry', retryAfterMs: 7_000, isBusy: true });
    expect(resultOf(answer(500, '7'), NOW_MS)).toMatchObject({ outcome: 'retry', retryAfterMs: 7_000, isBusy: false });
    expect(resultOf(answer(200, '7'), NOW_MS)).toEqual({ outcome: 'sent', answer: 'HTTP 200' });
    expect(resultOf(answer(410, '7'), NOW_MS)).toEqual({ outcome: 'refused', answer: 'HTTP 410' });
  });
});
