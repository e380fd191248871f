// Browsers that have signed in to an account before. Their attempts on it are counted apart from those of unknown
// clients, so that nobody else can slow them down (OWASP: device cookies). Being known gives no access.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { OnLimit } from '../limits/limit.ts';
import { KNOWN_BROWSERS_LIMIT, type KnownBrowserStore } from '../store/accounts/knownBrowsers.ts';
import { createSecret, hashSecret, SECRET_FORM } from './secrets.ts';

/** The lifetime of the longest session. Each sign-in restarts it. */
export const KNOWN_BROWSER_MS = 180 * 86_400_000;

export interface KnownBrowsers {
  /** The stored hash of the browser's secret if it has signed in to this account before; undefined for unknown clients. */
  recognise(secret: string | undefined, userId: number | undefined): Promise<string | undefined>;
  /** Replaces the browser's secret, under which all its accounts are known from now on. */
  remember(secret: string | undefined, userId: number): Promise<string>;
  /** Makes all other browsers of the account unknown. */
  forgetOthers(secret: string | undefined, userId: number): Promise<void>;
}

export interface KnownBrowsersDeps {
  readonly knownBrowsers: KnownBrowserStore;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

export function createKnownBrowsers({ knownBrowsers, now, onLimit }: KnownBrowsersDeps): KnownBrowsers {
  return {
    recognise: async (secret, userId) => {
      if (secret === undefined || userId === undefined || !SECRET_FORM.test(secret)) return undefined;
      const tokenHash = hashSecret(secret);
      return (await knownBrowsers.knows(tokenHash, userId, now())) ? tokenHash : undefined;
    },
    // Always a new secret: an attacker may have planted one that they know in the browser before its owner signs in.
    remember: async (secret, userId) => {
      const fresh = createSecret();
      const removed = await knownBrowsers.remember(
        {
          userId,
          tokenHash: hashSecret(fresh),
          previousHash: secret !== undefined && SECRET_FORM.test(secret) ? hashSecret(secret) : undefined,
          expiresAtMs: wallMs(now() + KNOWN_BROWSER_MS),
        },
        now(),
      );
      if (removed > 0) onLimit(KNOWN_BROWSERS_LIMIT);
      return fresh;
    },
    forgetOthers: (secret, userId) => knownBrowsers.removeOfUser(userId, hashSecret(secret ?? '')),
  };
}
