// Whether a request that changes something, or opens a WebSocket, comes from a page of this site.
import type { IncomingHttpHeaders } from 'node:http';

/**
 * For WebSocket upgrades and for methods that change something. A browser always sends Origin with these; a caller
 * that sends none is no browser, has no cookie that somebody else could make it send, and passes.
 */
export function isAllowedOrigin(headers: IncomingHttpHeaders, secure: boolean): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return isSameSiteFetch(headers);
  return host !== undefined && sameOrigin(origin, host, secure);
}

/**
 * For a GET that has an effect: browsers send no Origin with it, but say where it comes from. `none` is the address
 * bar; callers that are no browsers say nothing.
 */
export function isSameSiteFetch(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/**
 * A page on https of this host is always ours: TLS may end at a proxy in front of us. A page on plain http of this
 * host is ours only when we are asked over plain http, else whoever owns the network could put words in our mouth.
 */
function sameOrigin(origin: string, host: string, secure: boolean): boolean {
  const expected = secure ? ['https:'] : ['https:', 'http:'];
  return expected.some((protocol) => {
    const own = `${protocol}//${host}`;
    return URL.canParse(own) && URL.canParse(origin) && new URL(own).origin === new URL(origin).origin;
  });
}
