// Passwords: argon2id, computed on the native thread pool so that the thread that relays video never does.
import { hash, verify } from '@node-rs/argon2';

/** argon2id (the library's default), 19 MiB, two passes: OWASP's minimum, which a small gateway can afford. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** `undefined` stands for an account that does not exist: it takes as long, and is never right. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>;
}

export async function createPasswords(): Promise<Passwords> {
  // Computed with the current options, so that checking it takes as long as checking a real hash.
  const nobodysHash = await hash('', OPTIONS);
  return {
    hash: (password) => hash(password.normalize('NFKC'), OPTIONS),
    matches: async (storedHash, password) => {
      const right = await verify(storedHash ?? nobodysHash, password.normalize('NFKC'));
      return right && storedHash !== undefined;
    },
  };
}
