import { randomBytes } from 'node:crypto';

const LINK_KEY_BYTES = 32;

/** A new AES-256 key for this installation's live links, as hex. */
export function createLinkKey(): string {
  return randomBytes(LINK_KEY_BYTES).toString('hex');
}
