// Secrets that our own pages open links with: made from what they are for, so that asking again makes no further one.
import { createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
/** 160 bits, as other credentials have. */
const SECRET_HEX_DIGITS = 40;

/** Gives the secret of some texts: the same for the same texts until the gateway starts anew. */
export function createSessionSecrets(): (parts: readonly string[]) => string {
  // Never stored: what lies in the database makes nobody able to work out a credential.
  const key = randomBytes(KEY_BYTES);
  return (parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, SECRET_HEX_DIGITS);
}
