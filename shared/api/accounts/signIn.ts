// The way to the sign-in page and back, on this site only.
import { LOGIN_SRC } from '../../protocol/menuPages.ts';
import { type FrameFlags, pageFlags, withPageFlags } from '../pageFlags.ts';

const RETURN = 'return';

/** The sign-in page's address; `back` is the path, query and fragment to come back to. */
export function signInAddress(back: string | undefined, flags: FrameFlags = pageFlags()): string {
  const query = back === undefined || back === '/' ? '' : `?${RETURN}=${encodeURIComponent(back)}`;
  return withPageFlags(LOGIN_SRC + query, flags);
}

/**
 * Where to go after sign-in: the address in the query if it is one of this site and not the sign-in page itself,
 * else the home page. Read by the browser's own parser, which knows what `/\host` and `//host` would become.
 */
export function returnAddress(search: string, origin: string): string {
  const requested = new URLSearchParams(search).get(RETURN);
  if (requested === null || !URL.canParse(requested, origin)) return '/';
  const address = new URL(requested, origin);
  // A blob's origin is that of the page that made it, so the scheme is looked at too.
  const isOurs = address.origin === origin && /^https?:$/.test(address.protocol);
  if (!isOurs || address.pathname === LOGIN_SRC) return '/';
  address.searchParams.delete('sid');
  address.searchParams.delete('nontop');
  // Two slashes at the start would name a host once the origin is gone.
  return address.pathname.replace(/^\/{2,}/, '/') + address.search + address.hash;
}
