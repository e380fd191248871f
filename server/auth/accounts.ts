// The parts that let people in, built on one set of stores.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Stores } from '../store/stores.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createKnownBrowsers, type KnownBrowsers } from './knownBrowsers.ts';
import { createOwnAccess, type OwnAccess } from './ownAccess.ts';
import type { Passwords } from './passwords.ts';
import { createSecondFactors, type SecondFactors } from './secondFactors.ts';
import type { SecretBox } from './secretBox.ts';
import type { Sessions } from './sessions.ts';
import { createSignIn, type SignIn } from './signIn.ts';
import type { SignInThrottle } from './signInThrottle.ts';

export interface Accounts {
  readonly signIn: SignIn;
  readonly ownAccess: OwnAccess;
  readonly browsers: KnownBrowsers;
  readonly secondFactors: SecondFactors;
  readonly invitations: Invitations;
  readonly passwords: Passwords;
  /** Whether every user needs a second factor, whatever their role says. */
  readonly secondFactorForAll: () => Promise<boolean>;
}

export interface AccountsDeps {
  readonly stores: Stores;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly throttle: Pick<SignInThrottle, 'attempt'>;
  readonly box: SecretBox;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

/** The setting's name, and the value that requires a second factor of everybody. */
export const SECOND_FACTOR_SETTING = 'second_factor';
export const SECOND_FACTOR_FOR_ALL = 'required';

export function createAccounts(deps: AccountsDeps): Accounts {
  const { stores, sessions, passwords, throttle, box, now, onLimit } = deps;
  const secondFactors = createSecondFactors({ ...stores, box, now });
  const browsers = createKnownBrowsers({ ...stores, now, onLimit });
  const secondFactorForAll = async () => (await stores.settings.get(SECOND_FACTOR_SETTING)) === SECOND_FACTOR_FOR_ALL;
  const parts = { ...stores, sessions, browsers, secondFactors, passwords, throttle, now, onLimit };
  return {
    signIn: createSignIn({ ...parts, secondFactorForAll }),
    ownAccess: createOwnAccess(parts),
    browsers,
    secondFactors,
    invitations: createInvitations({ ...stores, sessions, passwords, now }),
    passwords,
    secondFactorForAll,
  };
}
