// Random secrets and how they are kept. For passwords see passwords.ts.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 27 letters and digits are 160 bits. */
const SECRET_LENGTH = 27;

/** The form of createSecret's default. Other values are refused without a query. */
export const SECRET_FORM = /^[A-Za-z\d]{27}$/;

/** A new session id, frame token or credential: letters and digits only, so that it fits in any address as it is. */
export function createSecret(length: number = SECRET_LENGTH): string {
  let secret = '';
  while (secret.length < length) {
    for (const byte of randomBytes(2 * length)) {
      // 248 is the largest multiple of 62 that a byte holds; what lies above would favour the first letters.
      if (byte < 248 && secret.length < length) secret += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return secret;
}

/**
 * The stored form of a createSecret secret. One round of SHA-256 is enough, because 160 random bits can't be guessed, and
 * cheap, because every request computes it.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time. */
export function secretsEqual(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
}
