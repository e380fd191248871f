// The headers that every answer carries.

/** `video`: the three pages that others may frame; `page`: everything else. */
export type PageKind = 'video' | 'page';

/**
 * Scripts come from this site's files only: no inline ones, no eval. Styles may be inline, since emotion, which the
 * components are styled with, writes style elements while the page runs; a nonce would have to be in the page's text
 * and differ with each answer, so that pages could be neither compressed ahead nor revalidated.
 */
const policy = (others: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${others}`,
    "media-src 'self' blob:",
    "worker-src 'self'",
    `connect-src 'self'${others}`,
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/**
 * `frameAncestors`: the configured sites; empty when nobody set any. `others`: sites that the page may load data and
 * pictures from.
 */
export function securityHeaders(
  kind: PageKind,
  frameAncestors: readonly string[],
  others: readonly string[] = [],
): Readonly<Record<string, string>> {
  const policyText = policy(others.map((origin) => ` ${origin}`).join(''));
  return {
    'content-security-policy': `${policyText}; frame-ancestors ${ancestors(kind, frameAncestors)}`,
    'x-content-type-options': 'nosniff',
    // Addresses of the video pages hold credentials, and those of framed pages may hold a token.
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  };
}

/** Half a year, without subdomains and without the browsers' lists: other services of the host's domain are not ours to decide for. */
const TRANSPORT_SECURITY = `max-age=${180 * 24 * 60 * 60}`;

/**
 * Headers of every answer that doesn't set others. API answers depend on the caller, so nobody may store them. `isPinned`: the browser
 * came over TLS, and must use nothing else from now on.
 */
export function defaultHeaders(frameAncestors: readonly string[], isPinned: boolean): Readonly<Record<string, string>> {
  return {
    ...securityHeaders('page', frameAncestors),
    'cache-control': 'no-store',
    vary: 'Cookie, Connect-Sid, Page-Framed, Origin',
    ...(isPinned ? { 'strict-transport-security': TRANSPORT_SECURITY } : {}),
  };
}

function ancestors(kind: PageKind, configured: readonly string[]): string {
  if (configured.length > 0) return ["'self'", ...configured].join(' ');
  return kind === 'video' ? '*' : "'self'";
}
