// Seals what the database keeps and must be able to give back, unlike passwords. The key lies beside it and not in it:
// a copy of the database alone opens nothing.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface SecretBox {
  /** `context` says whose it is: sealed text that is moved to another row does not open there. */
  seal(text: string, context: string): string;
  /** Undefined when it was sealed with another key, for another context, or is damaged. */
  open(sealed: string, context: string): string | undefined;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return VERSION + sealed.toString('base64url');
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined; // the tag does not fit; there is nothing more to know
      }
    },
  };
}

export function createKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** The key in the file, made at the first start and readable by its user alone. Throws when the file holds none. */
export function loadOrMakeKey(file: string): Buffer {
  if (!existsSync(file)) {
    // `wx`: of two that start at once, one makes it and the other reads that.
    try {
      writeFileSync(file, `${createKey().toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!existsSync(file)) throw error;
    }
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes`);
  return key;
}
