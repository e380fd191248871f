import { beforeEach, describe, expect, it } from 'vitest';
import { type IdentityClaim, IdentityThrottle } from '../../../../../server/device/jt808/identityThrottle.ts';

describe('IdentityThrottle', () => {
  let nowMs: number;
  let reached: string[];
  let throttle: IdentityThrottle;
  beforeEach(() => {
    nowMs = 1_000_000;
    reached = [];
    throttle = new IdentityThrottle(
      () => nowMs,
      ({ name }) => reached.push(name),
    );
  });

  const claim = (fields: Partial<IdentityClaim> = {}): IdentityClaim => ({
    ...{ number: '138', address: '192.0.2.1', identity: 'right', isAtHome: false },
    ...fields,
  });
  /** Waits for its turn each time, and is wrong. */
  const guess = (count: number, fields: Partial<IdentityClaim> = {}): number[] =>
    Array.from({ length: count }, (_, index) => {
      const wrong = claim({ identity: `wrong ${index}`, ...fields });
      const waitMs = throttle.waitMs(wrong) ?? Number.NaN;
      nowMs += waitMs;
      throttle.failed(wrong);
      return waitMs;
    });

  it('lets five wrong identities pass, and then makes each next one wait longer, up to half a minute', () => {
    expect(guess(12)).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('slows an address whatever numbers it tries', () => {
    for (let number = 0; number < 5; number++) guess(1, { number: `${number}` });
    expect(throttle.waitMs(claim({ number: '99' }))).toBe(1_000);
  });

  it('judges an address without a wrong identity at once, however often the number was guessed elsewhere', () => {
    for (let stranger = 0; stranger < 100; stranger++) guess(5, { address: `198.51.100.${stranger}` });
    expect(throttle.waitMs(claim({ address: '192.0.2.2' }))).toBe(0);
    expect(throttle.waitMs(claim({ address: '192.0.2.2', isAtHome: true }))).toBe(0);
  });

  it('slows who guesses a number that others have guessed, from the second time on', () => {
    guess(7);
    expect(guess(2, { address: '192.0.2.2' })).toEqual([0, 8_000]);
  });

  it('slows at the address of its last sign-in only who guesses that number', () => {
    guess(10, { number: '139' });
    expect(throttle.waitMs(claim({ isAtHome: true }))).toBe(0);
    guess(5, { isAtHome: true });
    expect(throttle.waitMs(claim({ isAtHome: true }))).toBe(1_000);
  });

  it('takes the same wrong identity again for no new guess, and judges it at once when it is right by then', () => {
    expect(guess(20, { identity: 'exchanged' })).toEqual(Array.from({ length: 20 }, () => 0));
    expect(throttle.waitMs(claim())).toBe(0);
  });

  it('gives turns to those who wait together, and judges no more than fit into half a minute', () => {
    guess(5);
    const waits = Array.from({ length: 40 }, (_, index) => throttle.waitMs(claim({ identity: `at once ${index}` })));
    expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 3_000]);
    expect(waits.filter((waitMs) => waitMs !== undefined)).toHaveLength(30);
    expect(reached).toContain('terminals.guess-wait.address');
  });

  it('forgets one wrong identity every ten minutes', () => {
    guess(6);
    nowMs += 20 * 60_000;
    expect(throttle.waitMs(claim())).toBe(0);
  });
});
