// What signing in comes to: where to go next, or why not.
import type { ApiFailure } from '../../../shared/api/client.ts';
import { pageFlags, withPageFlags } from '../../../shared/api/pageFlags.ts';
import { returnAddress } from '../../../shared/api/signIn.ts';
import { getUserStatus, logIn, type SignInRequest } from '../../../shared/api/user.ts';
import { readStored, writeStored } from '../../../shared/i18n/browserStorage.ts';
import { isLocale, LANGUAGE_KEY, localeOfStored } from '../../../shared/i18n/languages.ts';

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly goTo: string }
  /** The password was right, but the next call comes without the session: its cookie was not kept. */
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'refused'; readonly failure: ApiFailure };

/**
 * Signs in and asks whether it held, so that a browser that blocks cookies is not sent back and forth. The frame
 * token of the address is handed on only while it opens a session: a dead one would hide the new cookie.
 */
export async function signIn(request: SignInRequest): Promise<SignInOutcome> {
  const result = await logIn(request);
  if (!result.ok) return { kind: 'refused', failure: result };
  adoptLanguage(result.value.language);
  const flags = pageFlags();
  const back = returnAddress(window.location.search, window.location.origin);
  const status = await getUserStatus();
  if (!status.ok || status.value.login) return { kind: 'signed-in', goTo: withPageFlags(back, flags) };
  if (flags.sid === undefined) return { kind: 'not-kept' };
  return { kind: 'signed-in', goTo: withPageFlags(back, { ...flags, sid: undefined }) };
}

/** A member's own language holds in a browser where none was chosen. */
function adoptLanguage(language: string | undefined): void {
  if (isLocale(language) && localeOfStored(readStored(LANGUAGE_KEY)) === undefined) writeStored(LANGUAGE_KEY, language);
}
