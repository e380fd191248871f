// What signing in comes to: where to go next, what is still owed, or why not.

import { returnAddress } from '../../../shared/api/accounts/signIn.ts';
import {
  confirmRequiredFactor,
  getUserStatus,
  giveCode,
  logIn,
  type SignInRequest,
  type SignInStep,
} from '../../../shared/api/accounts/user.ts';
import type { ApiFailure, ApiResult } from '../../../shared/api/client.ts';
import { withPageFlags } from '../../../shared/api/pageFlags.ts';
import { readStored, writeStored } from '../../../shared/i18n/browserStorage.ts';
import { isLocale, LANGUAGE_KEY, localeOfStored } from '../../../shared/i18n/languages.ts';

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly goTo: string; readonly recoveryCodes: readonly string[] }
  /** The password was right. */
  | { readonly kind: 'code' | 'enrol'; readonly ticket: string }
  /** All was right, but the next call comes without the session: its cookie was not kept. */
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'refused'; readonly failure: ApiFailure };

export async function signIn(request: SignInRequest): Promise<SignInOutcome> {
  return goOn(await logIn(request));
}

export async function signInWithCode(ticket: string, code: string): Promise<SignInOutcome> {
  return goOn(await giveCode(ticket, code));
}

export async function signInEnrolling(ticket: string, code: string): Promise<SignInOutcome> {
  return goOn(await confirmRequiredFactor(ticket, code));
}

/** Asks whether it held, so that a browser that blocks cookies is not sent back and forth. */
async function goOn(result: ApiResult<SignInStep>): Promise<SignInOutcome> {
  if (!result.ok) return { kind: 'refused', failure: result };
  if (result.value.kind !== 'signed-in') return result.value;
  const { language, recoveryCodes } = result.value;
  adoptLanguage(language);
  const back = returnAddress(window.location.search, window.location.origin);
  const status = await getUserStatus();
  if (status.ok && !status.value.login) return { kind: 'not-kept' };
  return { kind: 'signed-in', goTo: withPageFlags(back), recoveryCodes };
}

/** A member's own language holds in a browser where none was chosen. */
function adoptLanguage(language: string | undefined): void {
  if (isLocale(language) && localeOfStored(readStored(LANGUAGE_KEY)) === undefined) writeStored(LANGUAGE_KEY, language);
}
