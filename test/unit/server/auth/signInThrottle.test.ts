import { describe, expect, it } from 'vitest';
import { signInDelayMs } from '../../../../server/auth/signInDelay.ts';
import { SignInThrottle } from '../../../../server/auth/signInThrottle.ts';

describe('the delay of a sign-in', () => {
  it.each([
    [0, 0],
    [3, 0],
    [3.2, 500],
    [4, 500],
    [5, 1_000],
    [6, 2_000],
    [7, 4_000],
    [8, 5_000],
    [1_000, 5_000],
  ])('after %d failures on the account is %d ms', (failures, delayMs) => {
    expect(signInDelayMs(failures, 0)).toBe(delayMs);
  });

  it.each([
    [20, 0],
    [21, 500],
    [22, 1_000],
    [23, 2_000],
    [1_000, 2_000],
  ])('after %d failures from the address is %d ms', (failures, delayMs) => {
    expect(signInDelayMs(0, failures)).toBe(delayMs);
  });

  it('is the longer of both', () => {
    expect(signInDelayMs(5, 23)).toBe(2_000);
    expect(signInDelayMs(8, 23)).toBe(5_000);
  });
});

describe('the throttle', () => {
  const make = (wait: (ms: number) => Promise<void> = async () => undefined) => {
    const clock = { now: 0 };
    return { clock, throttle: new SignInThrottle({ now: () => clock.now, wait }) };
  };
  const from = (account: string, address = '192.0.2.1') => ({ account, address });
  const wrong = async () => ({ right: false });
  const right = async () => ({ right: true });

  it('counts per account whatever the address, and starts anew when the owner comes', async () => {
    const waits: number[] = [];
    const { throttle } = make(async (ms) => void waits.push(ms));
    for (let host = 1; host <= 8; host++) await throttle.attempt(from('ann', `198.51.100.${host}`), wrong);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
    expect(await throttle.attempt(from('ann'), right)).toMatchObject({ ok: true, value: { right: true } });
    expect(waits.at(-1)).toBe(5_000);
    await throttle.attempt(from('ann'), wrong);
    expect(waits).toHaveLength(5);
  });

  it('keeps the failures of an address when one of its accounts signs in', async () => {
    const waits: number[] = [];
    const { throttle } = make(async (ms) => void waits.push(ms));
    for (let index = 0; index < 22; index++) await throttle.attempt(from(`name${index}`), wrong);
    waits.length = 0;
    await throttle.attempt(from('ann'), right);
    await throttle.attempt(from('bob'), right);
    expect(waits).toEqual([1_000, 1_000]);
  });

  it('makes attempts at the same time slow one another down', async () => {
    const waits: number[] = [];
    const { throttle } = make(async (ms) => void waits.push(ms));
    for (let round = 0; round < 2; round++) {
      await Promise.all([1, 2, 3].map((host) => throttle.attempt(from('ann', `198.51.100.${host}`), wrong)));
    }
    expect(waits).toEqual([500, 1_000]);
  });

  it('refuses the fourth attempt of one address on one account while three wait, and nobody else’s', async () => {
    const held: (() => void)[] = [];
    const { throttle } = make(() => new Promise((resolve) => held.push(resolve)));
    for (let attempt = 0; attempt < 4; attempt++) await throttle.attempt(from('ann', '198.51.100.9'), wrong);
    const waiting = [1, 2, 3].map(() => throttle.attempt(from('ann'), wrong));
    expect(held).toHaveLength(3);
    expect(await throttle.attempt(from('ann'), right)).toEqual({ ok: false, retryAfterMs: 5_000 });
    expect(await throttle.attempt(from('bob'), right)).toMatchObject({ ok: true });
    const elsewhere = throttle.attempt(from('ann', '203.0.113.5'), right);
    for (const release of held) release();
    expect(await elsewhere).toMatchObject({ ok: true });
    await Promise.all(waiting);
    expect(await throttle.attempt(from('ann'), right)).toMatchObject({ ok: true });
  });

  it('gives its places back when a check fails', async () => {
    const { throttle } = make();
    const broken = () => Promise.reject(new Error('database'));
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(throttle.attempt(from('ann'), broken)).rejects.toThrow('database');
    }
    expect(await throttle.attempt(from('ann'), right)).toMatchObject({ ok: true });
  });
});
