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
    number: '138',
    address: '192.0.2.1',
    identity: 'right',
    isAtHome: false,
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

  it('slows an address whatever number it guesses, from the second wrong identity of each', () => {
    for (let number = 0; number < 5; number++) guess(1, { number: `${number}` });
    expect(throttle.waitMs(claim({ number: '99' }))).toBe(0);
    for (let number = 0; number < 5; number++) guess(1, { number: `${number}`, identity: 'another' });
    expect(throttle.waitMs(claim({ number: '99' }))).toBe(1_000);
  });

  it('slows guesses of one number from however many addresses', () => {
    const waits = Array.from({ length: 250 }, (_, stranger) => {
      const wrong = claim({ address: `198.51.100.${stranger}`, identity: `wrong ${stranger}` });
      const waitMs = throttle.waitMs(wrong);
      if (waitMs === 0) throttle.failed(wrong);
      return waitMs;
    });
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5);
    expect(waits.slice(5).every((waitMs) => waitMs === 1_000)).toBe(true);
  });

  it('never refuses the terminal whose number is guessed elsewhere: it waits half a minute at most, at home not at all', () => {
    for (let stranger = 0; stranger < 100; stranger++) guess(5, { address: `198.51.100.${stranger}` });
    expect(throttle.waitMs(claim({ address: '192.0.2.2' }))).toBe(30_000);
    expect(throttle.waitMs(claim({ address: '192.0.2.3', isAtHome: true }))).toBe(0);
  });

  it('keeps the turn of a terminal that hangs up and comes again', () => {
    guess(12, { address: '198.51.100.1' });
    expect(throttle.waitMs(claim())).toBe(30_000);
    nowMs += 12_000;
    expect(throttle.waitMs(claim())).toBe(18_000);
    nowMs += 20_000;
    expect(throttle.waitMs(claim())).toBe(0);
  });

  it('lets a fleet behind one address in at once, a few of whose terminals were exchanged', () => {
    for (let number = 0; number < 8; number++) guess(3, { number: `${number}`, identity: 'exchanged' });
    const waits = Array.from({ length: 1_000 }, (_, index) => throttle.waitMs(claim({ number: `9${index}` })));
    expect(waits.every((waitMs) => waitMs === 0)).toBe(true);
  });

  it('lets a fleet in within half a minute behind an address that somebody guesses from', () => {
    guess(12, { number: '139' });
    const waits = Array.from({ length: 1_000 }, (_, index) => throttle.waitMs(claim({ number: `9${index}` })));
    expect(waits.every((waitMs) => waitMs === 30_000)).toBe(true);
  });

  it('gives turns anew when the clock was set back', () => {
    guess(5);
    throttle.waitMs(claim());
    nowMs -= 3_600_000;
    expect(throttle.waitMs(claim())).toBe(1_000);
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
    expect(reached).toContain('terminals.guess-wait.number');
  });

  it('forgets one wrong identity every ten minutes', () => {
    guess(6);
    nowMs += 20 * 60_000;
    expect(throttle.waitMs(claim())).toBe(0);
  });
});
