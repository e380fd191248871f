import { describe, expect, test } from 'vitest';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';

/** Half an hour before Berlin's clocks are put forward. */
const BEFORE = Date.UTC(2026, 2, 29, 0, 30);
const labelAt = (atMs: number) => zoneOptions(atMs).find(({ value }) => value === 'Europe/Berlin')?.label;

describe('the zones of a form', () => {
  test('are worked out once', () => {
    expect(zoneOptions(BEFORE + 1)).toBe(zoneOptions(BEFORE + 60_000));
  });

  test('follow summer time in a page that stays open', () => {
    expect(labelAt(BEFORE)).toBe('Europe/Berlin (UTC+01:00)');
    expect(labelAt(BEFORE + 30 * 60_000)).toBe('Europe/Berlin (UTC+02:00)');
  });
});
