import { expect, it } from 'vitest';
import { summaryLine } from '../../../support/runner/summaryLine.ts';

it('counts passed and failed, and skipped only when there are any', () => {
  expect(summaryLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  expect(summaryLine({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped');
});
