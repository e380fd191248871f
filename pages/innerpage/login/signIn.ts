// What signing in comes to: where to go next, or why not.
import type { ApiFailure } from '../../../shared/api/client.ts';
import { pageFlags, withPageFlags } from '../../../shared/api/pageFlags.ts';
import { returnAddress } from '../../../shared/api/signIn.ts';
import { getUserStatus, logIn } from '../../../shared/api/user.ts';

export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly goTo: string }
  /** The password was right, but the next call comes without the session: its cookie was not kept. */
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'refused'; readonly failure: ApiFailure };

/**
 * Signs in and asks whether it held, so that a browser that blocks cookies is not sent back and forth. The frame
 * token of the address is handed on only while it opens a session: a dead one would hide the new cookie.
 */
export async function signIn(username: string, password: string): Promise<SignInOutcome> {
  const result = await logIn(username, password);
  if (!result.ok) return { kind: 'refused', failure: result };
  const flags = pageFlags();
  const back = returnAddress(window.location.search, window.location.origin);
  const status = await getUserStatus();
  if (!status.ok || status.value.login) return { kind: 'signed-in', goTo: withPageFlags(back, flags) };
  if (flags.sid === undefined) return { kind: 'not-kept' };
  return { kind: 'signed-in', goTo: withPageFlags(back, { ...flags, sid: undefined }) };
}
