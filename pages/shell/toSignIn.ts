// The ways from the shell to sign-in. The page is left once: a second navigation would abort the first, and might lead back elsewhere.
import { signInAddress } from '../../shared/api/accounts/signIn.ts';
import { logOut } from '../../shared/api/accounts/user.ts';
import { recheckSession } from '../../shared/ui/session.ts';

let way: 'staying' | 'logging-out' | 'leaving' = 'staying';

/** The session is over; whoever signs in comes back here. Does nothing while somebody logs out: they don't. */
export function goToSignIn(): void {
  if (way !== 'staying') return;
  const { pathname, search, hash } = window.location;
  leaveTo(signInAddress(pathname + search + hash));
}

/** Goes to sign-in unless the server says that the session continues; a failed call is logged and changes nothing. */
export async function logOutAndLeave(): Promise<void> {
  if (way !== 'staying') return;
  way = 'logging-out';
  const result = await logOut();
  if (result.ok && !result.value.login) {
    leaveTo(signInAddress(undefined));
    return;
  }
  way = 'staying';
  // The session may have ended meanwhile, and nobody was sent to sign-in.
  await recheckSession();
}

function leaveTo(address: string): void {
  way = 'leaving';
  window.location.replace(address);
}

/** A page that is rendered again has not been left. For component tests. */
export function stay(): void {
  way = 'staying';
}
