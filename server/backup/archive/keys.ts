// The key of an archive: derived for each separately, from a passphrase or the recovery key.
import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { ArchiveFault } from './faults.ts';
import type { Costs, Encryption } from './head.ts';

/** The key with which an archive is made or read, or `none`. */
export type ArchiveKey =
  | { readonly kind: 'none' }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  /** 32 bytes. */
  | { readonly kind: 'recovery-key'; readonly key: Uint8Array };

/** argon2id, 64 MiB, three passes: the first choice of RFC 9106 where memory is short. It is computed once per backup. */
const COSTS: Costs = { memoryKib: 65_536, passes: 3, lanes: 1 };

const KEY_BYTES = 32;
const CHECK_BYTES = 16;
const NONCE_PREFIX_BYTES = 7;

export interface NewKey {
  readonly encryption: Encryption;
  /** Undefined: not encrypted. */
  readonly blockKey: Buffer | undefined;
}

export async function createKey(key: ArchiveKey, costs: Costs = COSTS): Promise<NewKey> {
  if (key.kind === 'none') return { encryption: { kind: 'none' }, blockKey: undefined };
  const salt = randomBytes(16);
  const secret = key.kind === 'passphrase' ? await stretched(key.passphrase, salt, costs) : key.key;
  const keyed = {
    salt: salt.toString('hex'),
    check: derived(secret, salt, 'check', CHECK_BYTES).toString('hex'),
    nonce: randomBytes(NONCE_PREFIX_BYTES).toString('hex'),
  };
  const encryption: Encryption =
    key.kind === 'passphrase' ? { kind: key.kind, ...keyed, costs } : { kind: key.kind, ...keyed };
  return { encryption, blockKey: derived(secret, salt, 'blocks', KEY_BYTES) };
}

/** The key that opens the blocks. Undefined: they are not encrypted. */
export async function openKey(encryption: Encryption, key: ArchiveKey): Promise<Buffer | undefined> {
  if (encryption.kind === 'none') return undefined;
  if (key.kind === 'none') throw new ArchiveFault('key-needed', encryption.kind);
  const salt = Buffer.from(encryption.salt, 'hex');
  const secret = await secretFor(encryption, key, salt);
  const check = derived(secret, salt, 'check', CHECK_BYTES);
  if (!timingSafeEqual(check, Buffer.from(encryption.check, 'hex'))) throw new ArchiveFault('wrong-key', key.kind);
  return derived(secret, salt, 'blocks', KEY_BYTES);
}

async function secretFor(encryption: Encryption, key: ArchiveKey, salt: Buffer): Promise<Uint8Array> {
  if (encryption.kind === 'passphrase' && key.kind === 'passphrase') {
    return stretched(key.passphrase, salt, encryption.costs);
  }
  if (encryption.kind === 'recovery-key' && key.kind === 'recovery-key') return key.key;
  throw new ArchiveFault('key-needed', encryption.kind);
}

/** Normalizes the passphrase: the same letters may have another form when typed on another keyboard. */
async function stretched(passphrase: string, salt: Buffer, costs: Costs): Promise<Uint8Array> {
  return hashRaw(passphrase.normalize('NFKC'), {
    salt,
    memoryCost: costs.memoryKib,
    timeCost: costs.passes,
    parallelism: costs.lanes,
    outputLen: KEY_BYTES,
  });
}

function derived(secret: Uint8Array, salt: Buffer, use: 'check' | 'blocks', bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, `fleetglass backup ${use}`, bytes));
}
