import { expect, it } from 'vitest';
import { localDay } from '../../../../../server/events/engine/localDay.ts';

const EVENING_MS = Date.UTC(2026, 10, 22, 18, 30);

it('the day of a time is that of the zone', () => {
  expect(localDay(EVENING_MS, 'UTC')).toBe(20_261_122);
  expect(localDay(EVENING_MS, 'Asia/Taipei')).toBe(20_261_123);
});

it('a zone that this system does not know is the gateway’s own', () => {
  expect(localDay(EVENING_MS, 'Mars/Base')).toBe(localDay(EVENING_MS, ''));
});
