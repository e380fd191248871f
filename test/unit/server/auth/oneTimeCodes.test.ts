import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createRecoveryCodes,
  createTotpSecret,
  hashRecoveryCode,
  otpauthAddress,
  readCode,
  stepOfCode,
  waitAfterAttempts,
} from '../../../../server/auth/oneTimeCodes.ts';
import { createKey, createSecretBox, loadOrMakeKey } from '../../../../server/auth/secretBox.ts';

describe('codes of an app', () => {
  /** RFC 6238, appendix B: the secret is the ASCII text 12345678901234567890; of its eight digits the last six. */
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('are those of the standard at %i', (atS, code) => {
    const step = Math.floor(atS / 30);
    expect(stepOfCode(SECRET, code, atS * 1000)).toBe(step);
    expect(stepOfCode(SECRET, code, (atS + 30) * 1000)).toBe(step);
    expect(stepOfCode(SECRET, code, (atS - 30) * 1000)).toBe(step);
    expect(stepOfCode(SECRET, code, (atS + 61) * 1000)).toBeUndefined();
  });

  it('come of a secret of 160 bits, with an address that apps read', () => {
    const secret = createTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(createTotpSecret()).not.toBe(secret);
    const address = new URL(otpauthAddress(secret, 'Northern Fleet', 'Zoë <b>'));
    expect([address.protocol, address.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(address.pathname)).toContain('Zoë <b>');
    expect(address.searchParams.get('secret')).toBe(secret);
    expect(address.searchParams.get('issuer')).toBe('Northern Fleet');
  });
});

describe('a typed code', () => {
  it.each([
    ['123 456', { kind: 'app', code: '123456' }],
    [' 123-456 ', { kind: 'app', code: '123456' }],
    ['abcd-efgh-jkmn-0123', { kind: 'recovery', code: 'ABCDEFGHJKMN0123' }],
    ['ABCD EFGH JKMN OIL3', { kind: 'recovery', code: 'ABCDEFGHJKMN0113' }],
    ['12345', { kind: 'none' }],
    ['1234567', { kind: 'none' }],
    ['', { kind: 'none' }],
    ['ABCD-EFGH-JKMN-012!', { kind: 'none' }],
  ])('%j', (typed, code) => {
    expect(readCode(typed)).toEqual(code);
  });
});

describe('recovery codes', () => {
  it('are ten, all different, read back as they are shown', () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const shown of codes) {
      const read = readCode(shown.toLowerCase());
      expect(shown).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(read.kind === 'recovery' && hashRecoveryCode(read.code)).toBe(hashRecoveryCode(shown));
    }
  });
});

describe('the wait after wrong codes', () => {
  it('begins with the fifth, doubles, and ends at a quarter of an hour', () => {
    expect([0, 1, 4, 5, 6, 7, 10, 99].map(waitAfterAttempts)).toEqual([
      0, 0, 0, 30_000, 60_000, 120_000, 900_000, 900_000,
    ]);
  });
});

describe('the box that secrets lie in', () => {
  it('opens with its own key and for whom it was sealed', () => {
    const [box, other] = [createSecretBox(createKey()), createSecretBox(createKey())];
    const sealed = box.seal('geheim', 'user 1');
    expect(sealed).not.toContain('geheim');
    expect(box.seal('geheim', 'user 1')).not.toBe(sealed);
    expect(box.open(sealed, 'user 1')).toBe('geheim');
    expect(box.open(sealed, 'user 2')).toBeUndefined();
    expect(other.open(sealed, 'user 1')).toBeUndefined();
    const damaged = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const bad of ['', 'v1.', 'v2.abc', damaged, 'plain']) expect(box.open(bad, 'user 1')).toBeUndefined();
  });

  it('keeps its key in a file of its user alone, and takes no broken one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'key-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'key');
    const made = loadOrMakeKey(file);
    expect(loadOrMakeKey(file)).toEqual(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim()).toBe(made.toString('hex'));
    writeFileSync(file, 'abc');
    expect(() => loadOrMakeKey(file)).toThrow(/32 bytes/);
  });
});
