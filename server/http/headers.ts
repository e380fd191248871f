// The headers that every answer carries.

/** `video`: the three pages that others may frame; `page`: everything else. */
export type PageKind = 'video' | 'page';

/**
 * Scripts come from this site's files only: no inline ones, no eval. Styles may be inline, since emotion, which the
 * components are styled with, writes style elements while the page runs; a nonce would have to be in the page's text
 * and differ with each answer, so that pages could be neither compressed ahead nor revalidated.
 */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** `frameAncestors`: the configured sites; empty when nobody set any. */
export function securityHeaders(kind: PageKind, frameAncestors: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `${POLICY}; frame-ancestors ${ancestors(kind, frameAncestors)}`,
    'x-content-type-options': 'nosniff',
    // Addresses of the video pages hold credentials, and those of framed pages may hold a token.
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  };
}

function ancestors(kind: PageKind, configured: readonly string[]): string {
  if (configured.length > 0) return ["'self'", ...configured].join(' ');
  return kind === 'video' ? '*' : "'self'";
}
