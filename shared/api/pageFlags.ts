// What a page's own address tells it: the frame token `sid` and the flags `nontop` and `controls`. The token is read once, before
// it is taken out of the address bar, and lives in this module only. It counts in a frame alone, where the framing page has put it: in the
// address of a page by itself it may be anybody's, who would have the reader work in a session that is not the reader's own. So calls say
// whether the page is framed, and the gateway decides.

export interface PageFlags {
  readonly sid: string | undefined;
  readonly nontop: boolean;
  /** Whether a video page offers its tools. */
  readonly controls: boolean;
}

/** What a page hands on to the pages that it frames or leads to. */
export type FrameFlags = Pick<PageFlags, 'sid' | 'nontop'>;

// No `u` or `i` flag: \w is then ASCII letters, digits and underscore and nothing else.
const WORD = /^\w+$/;

/** Reads the flags of a query; a value with any other character than letters, digits, underscore is none. */
export function readPageFlags(search: string): PageFlags {
  const query = new URLSearchParams(search);
  return {
    sid: word(query.get('sid')),
    nontop: word(query.get('nontop')) === '1',
    controls: word(query.get('controls')) !== '0',
  };
}

function word(value: string | null): string | undefined {
  return value !== null && WORD.test(value) ? value : undefined;
}

let current: PageFlags | undefined;

/** The flags this page was opened with. */
export function pageFlags(): PageFlags {
  current ??= readPageFlags(window.location.search);
  return current;
}

/**
 * Whether a page of another site frames this one, be it through pages of this site: those got their addresses from the page that leads to
 * them.
 */
function isFramedElsewhere(): boolean {
  let page: Window = window;
  while (page.parent !== page) {
    if (!isOwnPage(page.parent)) return true;
    page = page.parent;
  }
  return false;
}

/** Reading another site's address throws. */
function isOwnPage(page: Window): boolean {
  try {
    return page.location.origin === window.location.origin;
  } catch {
    return false;
  }
}

/** The token that a WebSocket says in its first message. */
export function frameToken(): string | undefined {
  return isFramedElsewhere() ? pageFlags().sid : undefined;
}

function withoutSid(flags: PageFlags): PageFlags {
  return { ...flags, sid: undefined };
}

/** Signing in makes a session of the user's own, by cookie; from then on the page is not the token's any more. */
export function dropSid(): void {
  current = withoutSid(pageFlags());
}

/** The headers that carry the frame token and say whether it counts, or none. For every fetch, i18next's included. */
export function sidHeaders(): Record<string, string> {
  const { sid } = pageFlags();
  return sid === undefined ? {} : { 'Connect-Sid': sid, 'Page-Framed': isFramedElsewhere() ? '1' : '0' };
}

/** Takes the frame token out of the address bar and the history entry, so that nobody copies it with the address. */
export function removeSidFromAddress(): void {
  pageFlags();
  const address = new URL(window.location.href);
  if (!address.searchParams.has('sid')) return;
  const rest = withoutParameter(address.search, 'sid');
  window.history.replaceState(window.history.state, '', address.pathname + rest + address.hash);
}

/** Hands `sid` and `nontop` on: an address of this site with this page's flags in its query. */
export function withPageFlags(address: string, flags: FrameFlags = pageFlags()): string {
  const [beforeHash = '', hash] = splitOnce(address, '#');
  const [path = '', query = ''] = splitOnce(beforeHash, '?');
  const parts = query === '' ? [] : [query];
  if (flags.sid !== undefined) parts.push(`sid=${flags.sid}`);
  if (flags.nontop) parts.push('nontop=1');
  return path + (parts.length > 0 ? `?${parts.join('&')}` : '') + (hash === undefined ? '' : `#${hash}`);
}

// URLSearchParams would rewrite the rest of the query (`%20` to `+`); what is not ours stays as it was written.
function withoutParameter(search: string, name: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair.split('=')[0] !== name);
  return kept.length > 0 ? `?${kept.join('&')}` : '';
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
