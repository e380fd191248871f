import { hash } from '@node-rs/argon2';

const hashes = new Map<string, Promise<string>>();

/**
 * The hash of a test's password with the least that argon2id takes: who is signed in by it waits for nothing. A stored hash
 * names its own cost, so that the product looks at it as at any other.
 */
export function cheapHash(password: string): Promise<string> {
  const known = hashes.get(password) ?? hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  hashes.set(password, known);
  return known;
}
