// The installation's key for evidence packages (Ed25519). Whoever has its public half can tell that a package came from here.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface EvidenceSigner {
  /** PEM. */
  readonly publicKey: string;
  /** 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** The key in the file, made at the first start and readable by its user alone. Throws when the file holds none. */
export function loadOrMakeSigner(file: string): EvidenceSigner {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    // `wx`: of two that start at once, one makes it and the other reads that.
    try {
      writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!existsSync(file)) throw error;
    }
  }
  const key = createPrivateKey(readFileSync(file, 'utf8'));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} does not hold an Ed25519 key`);
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    sign: (bytes) => sign(null, bytes, key),
  };
}
