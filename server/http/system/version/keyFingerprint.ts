import { createHash, createPublicKey } from 'node:crypto';

/** Fingerprint of a public key (PEM) for reading aloud: SHA-256 of its SPKI (DER), hex digits in groups of four. */
export function keyFingerprint(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  const digits = createHash('sha256').update(der).digest('hex');
  return digits.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
