import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import { createSecret, hashSecret, secretsEqual } from '../../../../server/auth/secrets.ts';
import { beginTimes, isOver, ORDINARY_LIFE, slide } from '../../../../server/auth/sessionTimes.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

describe('a secret', () => {
  it('is letters and digits, 160 bits, and never the same twice', () => {
    const secrets = Array.from({ length: 1_000 }, () => createSecret());
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z\d]{27}$/);
    expect(createSecret(10)).toHaveLength(10);
  });

  it('uses every letter and digit about equally often', () => {
    const counts = new Map<string, number>();
    for (const letter of createSecret(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1000 each; eight standard deviations, which chance exceeds once in 10^15. A modulo bias would be one in four.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
  });

  it('is kept as a hash that says nothing of it', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('is compared whatever the lengths', () => {
    expect(secretsEqual('abc', 'abc')).toBe(true);
    for (const other of ['', 'ab', 'abd', 'abcd']) expect(secretsEqual(other, 'abc')).toBe(false);
  });
});

describe('passwords', () => {
  it('are kept as argon2id with a salt of their own', async () => {
    const passwords = await createPasswords();
    const [first, second] = [await passwords.hash('pass word'), await passwords.hash('pass word')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await passwords.matches(first, 'pass word')).toBe(true);
    expect(await passwords.matches(first, 'Pass word')).toBe(false);
  });

  it('are one however their letters are composed', async () => {
    const passwords = await createPasswords();
    expect(await passwords.matches(await passwords.hash('Zoe\u0308'), 'Zo\u00eb')).toBe(true);
  });

  it('are computed off this thread', async () => {
    const passwords = await createPasswords();
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    await Promise.all(Array.from({ length: 8 }, () => passwords.hash('x')));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });

  it('of an account that does not exist are never right, not even an empty one', async () => {
    const passwords = await createPasswords();
    for (const password of ['', 'x']) expect(await passwords.matches(undefined, password)).toBe(false);
  });
});

describe('the times of a session', () => {
  const start = wallMs(1_000_000);

  it('slide with use but not past the end', () => {
    const times = beginTimes(start, ORDINARY_LIFE);
    const soon = wallMs(start + 59_999);
    expect(slide(times, soon, ORDINARY_LIFE)).toBeUndefined();
    expect(slide(times, wallMs(start + 60_000), ORDINARY_LIFE)).toBe(start + 60_000 + ORDINARY_LIFE.idleMs);
    expect(slide(times, wallMs(times.endsAtMs - 1), ORDINARY_LIFE)).toBe(times.endsAtMs);
  });

  it('are over at either end', () => {
    const times = beginTimes(start, ORDINARY_LIFE);
    expect(isOver(times, wallMs(times.idleEndsAtMs - 1))).toBe(false);
    expect(isOver(times, times.idleEndsAtMs)).toBe(true);
    expect(isOver({ ...times, idleEndsAtMs: wallMs(9e15) }, times.endsAtMs)).toBe(true);
  });
});
