// Codes of the second factor: those of an authenticator app (RFC 6238), and recovery codes for when it is lost. Pure except
// for the random numbers.
import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { hashSecret } from './secrets.ts';

/** What every authenticator app takes: SHA-1, six digits, half a minute. */
const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** Tolerated clock difference, in steps either way. */
const WINDOW_STEPS = 1;

const RECOVERY_CODES = 10;
/** No I, L, O or U, which are mistaken for other characters when read aloud or typed. 16 of 32 characters are 80 bits. */
const RECOVERY_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_LENGTH = 16;

export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that a QR code brings into an authenticator app. */
export function otpauthAddress(secret: string, issuer: string, account: string): string {
  return totpOf(secret, { issuer, label: account }).toString();
}

/** The step of 30 seconds that the code belongs to, near this moment; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, atMs: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: atMs, window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(atMs / 1000 / PERIOD_S) + delta;
}

function totpOf(secret: string, name: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...name, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret: Secret.fromBase32(secret) });
}

export type GivenCode =
  | { readonly kind: 'app'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string }
  | { readonly kind: 'none' };

/** Reads a typed code. Spaces, dashes and case are ignored. */
export function readCode(typed: string): GivenCode {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (/^\d{6}$/.test(code)) return { kind: 'app', code };
  if (code.length === RECOVERY_LENGTH && [...code].every((letter) => RECOVERY_LETTERS.includes(letter))) {
    return { kind: 'recovery', code };
  }
  return { kind: 'none' };
}

/** Ten codes as they are shown, in fours. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: RECOVERY_LENGTH }, () =>
      RECOVERY_LETTERS.charAt(randomInt(RECOVERY_LETTERS.length)),
    );
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored form of a recovery code, independent of how it was typed. One round is enough for 80 random bits. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.replaceAll('-', ''));
}

const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 30_000;
const MAX_WAIT_MS = 15 * 60_000;

/**
 * Lock-out after N failed attempts in a row. Only somebody who knows the password gets this far. Guessing a million codes at
 * four an hour takes a lifetime.
 */
export function waitAfterAttempts(attempts: number): number {
  if (attempts < FREE_FAILURES) return 0;
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - FREE_FAILURES));
}
