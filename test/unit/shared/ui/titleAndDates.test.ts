import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wallSeconds } from '../../../../shared/protocol/time.ts';
import { formatDate } from '../../../../shared/ui/dates.ts';
import { DEFAULT_TITLE, titleOf } from '../../../../shared/ui/title.ts';

describe('the title (S-2.1.14, S-2.1.15)', () => {
  test('is the one that the server names', () => {
    expect(titleOf({ web_title: 'ACME 監視' })).toBe('ACME 監視');
  });

  test.each([undefined, {}, { web_title: '' }, { web_title: '  ' }, { web_title: null }])(
    'is the product name with server information %j',
    (info) => {
      expect(titleOf(info)).toBe(DEFAULT_TITLE);
    },
  );
});

describe('dates (S-9.11)', () => {
  const zone = process.env.TZ;
  beforeEach(() => {
    delete process.env.TZ;
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test.each([
    ['UTC', '2026-11-19'],
    ['Asia/Taipei', '2026-11-20'],
    ['America/New_York', '2026-11-19'],
  ])('are yyyy-MM-dd in the zone of the browser: %s', (timeZone, expected) => {
    process.env.TZ = timeZone;
    expect(formatDate(wallSeconds(1_795_104_000))).toBe(expected); // 2026-11-19 16:00 UTC
  });
});
