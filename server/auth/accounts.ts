// The parts that let people in, built on one set of stores.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { Stores } from '../store/stores.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import type { Passwords } from './passwords.ts';
import { createSecondFactors, type SecondFactors } from './secondFactors.ts';
import type { SecretBox } from './secretBox.ts';
import type { Sessions } from './sessions.ts';
import { createSignIn, type SignIn } from './signIn.ts';
import type { SignInThrottle } from './signInThrottle.ts';

export interface Accounts {
  readonly signIn: SignIn;
  readonly secondFactors: SecondFactors;
  readonly invitations: Invitations;
  readonly passwords: Passwords;
  /** Whether nobody gets in by the password alone, whatever the role says. */
  readonly secondFactorForAll: () => Promise<boolean>;
}

export interface AccountsDeps {
  readonly stores: Stores;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly box: SecretBox;
  readonly now: () => WallMs;
}

/** Its name in the settings table, and the value that makes it so. */
export const SECOND_FACTOR_SETTING = 'second_factor';
export const SECOND_FACTOR_FOR_ALL = 'required';

export function createAccounts({ stores, sessions, passwords, throttle, box, now }: AccountsDeps): Accounts {
  const secondFactors = createSecondFactors({ secondFactors: stores.secondFactors, box, now });
  const secondFactorForAll = async () => (await stores.settings.get(SECOND_FACTOR_SETTING)) === SECOND_FACTOR_FOR_ALL;
  const parts = { sessions, passwords, throttle, now };
  return {
    signIn: createSignIn({ ...stores, ...parts, secondFactors, secondFactorForAll }),
    secondFactors,
    invitations: createInvitations({ ...stores, sessions, passwords, now }),
    passwords,
    secondFactorForAll,
  };
}
