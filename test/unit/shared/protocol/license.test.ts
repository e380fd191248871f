import { expect, it } from 'vitest';
import { licenseNotice } from '../../../../shared/protocol/license.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const AT_MS = 1_000 * DAY_MS;
const before = (days: number) => licenseNotice(AT_MS, AT_MS - days * DAY_MS);

it('is worth a notice 30, 7 and 1 days before it expires, and afterwards', () => {
  expect(before(30.01)).toEqual({ kind: 'none' });
  expect(before(30)).toEqual({ kind: 'expiring', within: 30 });
  expect(before(7.01)).toEqual({ kind: 'expiring', within: 30 });
  expect(before(7)).toEqual({ kind: 'expiring', within: 7 });
  expect(before(1)).toEqual({ kind: 'expiring', within: 1 });
  expect(before(0.001)).toEqual({ kind: 'expiring', within: 1 });
  expect(before(0)).toEqual({ kind: 'expired' });
  expect(licenseNotice(0, AT_MS)).toEqual({ kind: 'none' });
});
