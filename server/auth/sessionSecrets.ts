// Secrets for links that our own pages open. Derived from the link's terms, so that requesting the same link again creates
// no new credential.
import { createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
/** 160 bits, as other credentials have. */
const SECRET_HEX_DIGITS = 40;

/** Gives the secret of some texts: the same for the same texts until the gateway starts anew. */
export function createSessionSecrets(): (parts: readonly string[]) => string {
  // Kept in memory only, so that nobody can compute a credential from a copy of the database.
  const key = randomBytes(KEY_BYTES);
  return (parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, SECRET_HEX_DIGITS);
}
