import { describe, expect, it } from 'vitest';
import { addFailure, countAt } from '../../../../server/limits/failureCount.ts';

describe('a count of failures', () => {
  it('forgets failures one by one', () => {
    const failures = addFailure(addFailure(0, 0).count, 0);
    expect(countAt(failures, 0, 1_000)).toBe(2);
    expect(countAt(failures, 1_500, 1_000)).toBe(0.5);
    expect(countAt(failures, 5_000, 1_000)).toBe(0);
    // A clock that was set back forgets nothing and adds nothing.
    expect(countAt(failures, -9_000, 1_000)).toBe(2);
    expect(countAt(undefined, 0, 1_000)).toBe(0);
  });

  it('remembers a long attack no longer than a short one', () => {
    let failures = addFailure(0, 0);
    for (let attempt = 0; attempt < 1_000; attempt++) failures = addFailure(failures.count, 0);
    expect(failures.count).toBe(40);
  });
});
