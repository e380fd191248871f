import { describe, expect, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';

describe('waitFor', () => {
  it('returns the first accepted value', async () => {
    let reads = 0;
    expect(
      await waitFor(
        'the count',
        () => ++reads,
        (value) => value === 3,
      ),
    ).toBe(3);
    expect(reads).toBe(3);
  });

  it('names what was waited for and the last value once the deadline has passed', async () => {
    const waiting = waitFor(
      'the lamp',
      () => 'off',
      (value) => value === 'on',
      30,
    );
    await expect(waiting).rejects.toThrow("the lamp: not within 30 ms; the last value was 'off'");
  });

  it('takes a read that throws for not there yet, and tells the last error', async () => {
    let reads = 0;
    const read = (): string => {
      reads += 1;
      if (reads < 3) throw new Error('refused');
      return 'up';
    };
    expect(await waitFor('the server', read)).toBe('up');

    const never = waitFor('the server', () => Promise.reject(new Error('still refused')), Boolean, 30);
    await expect(never).rejects.toThrow(/the last read failed: Error: still refused/);
  });
});
