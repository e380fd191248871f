// The installation's key for evidence packages (Ed25519). Anyone with its public half can verify that a package came from here.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface EvidenceSigner {
  /** PEM. */
  readonly publicKey: string;
  /** 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** The key in the file, made at the first start and readable by its user alone. Throws when the file holds none. */
export function loadOrMakeSigner(file: string): EvidenceSigner {
  if (!existsSync(file)) makeKey(file);
  const key = readKey(file);
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    sign: (bytes) => sign(null, bytes, key),
  };
}

/** A power cut could leave a truncated key, which would keep the gateway from starting: the key gets its name once it is complete. */
function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const part = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    writeSynced(part, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    linkSync(part, file);
    syncFolder(dirname(file));
  } catch (error) {
    // If two gateways start at once, one makes the key and the other reads it.
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(part, { force: true });
  }
}

function writeSynced(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readKey(file: string): KeyObject {
  const advice =
    'Put the key back from a backup, or remove the file: a new key is then made, which signs packages from then on.';
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} does not hold a private key. ${advice}`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} does not hold an Ed25519 key. ${advice}`);
  return key;
}
