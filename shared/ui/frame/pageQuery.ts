// The part of a page's state that is the query of an address. A page on its own has it in its own address, a page in the shell
// has it in the shell's, where the user can copy it, a reload keeps it and Back finds the one before.
import { useEffect, useSyncExternalStore } from 'react';
import { pageFlags, withPageFlags } from '../../api/pageFlags.ts';
import { isFramedByOwnSite } from './framedByOwnSite.ts';

/** `push`: Back leads to the query before. */
export type QueryChange = 'push' | 'replace';

/**
 * Parameters that belong to an address and not to what the page shows. A frame token in a shell's address would put the page into
 * another session.
 */
const FLAGS = ['sid', 'nontop'];

/** The query of an address without its flags; '' for none. */
export function pageQueryOf(search: string): string {
  const query = new URLSearchParams(search);
  for (const flag of FLAGS) query.delete(flag);
  return queryText(query);
}

/** Keeps the commas, which separate the values of one filter, readable in the address. */
export function queryText(query: URLSearchParams): string {
  return query.toString().replaceAll('%2C', ',');
}

/** Attribute of the root element of a page that follows its query without being loaded again. */
const FOLLOWS_MARK = 'data-follows-query';
/** Sent by the shell to the page. The detail is the query. */
const RESTORED_EVENT = 'fleetglass:query-restored';
/** Sent by the page to the shell. The detail is a `ChangedQuery`. */
export const QUERY_CHANGED_EVENT = 'fleetglass:query-changed';

export interface ChangedQuery {
  readonly query: string;
  readonly change: QueryChange;
}

let current: string | undefined;
const watchers = new Set<() => void>();

/** The current query; `usePageQuery` is for whatever has to follow it. */
export function pageQuery(): string {
  current ??= pageQueryOf(window.location.search);
  return current;
}

function arrive(query: string): void {
  if (query === pageQuery()) return;
  current = query;
  for (const watcher of [...watchers]) watcher();
}

/** The page shows something else now. */
export function setPageQuery(query: string, change: QueryChange): void {
  if (query === pageQuery()) return;
  if (isFramedByOwnSite()) {
    const detail: ChangedQuery = { query, change };
    window.parent.dispatchEvent(new CustomEvent(QUERY_CHANGED_EVENT, { detail }));
  } else if (change === 'push') window.history.pushState(null, '', ownAddress(query));
  else window.history.replaceState(null, '', ownAddress(query));
  arrive(query);
}

function ownAddress(query: string): string {
  const { pathname, hash } = window.location;
  return withQuery(pathname, query) + hash;
}

/** The detail of an event that may have been made in another window, whose classes are others. */
function detailOf(event: Event): unknown {
  return 'detail' in event ? event.detail : undefined;
}

/** An address that may be copied: with `nontop`, without the frame token. */
export function withQuery(path: string, query: string): string {
  return withPageFlags(query === '' ? path : `${path}?${query}`, { sid: undefined, nontop: pageFlags().nontop });
}

function subscribe(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

/** The page's query, which the page follows while this is mounted. */
export function usePageQuery(): string {
  useEffect(() => {
    const onBack = (): void => {
      // In the shell it is the shell's address that counts.
      if (!isFramedByOwnSite()) arrive(pageQueryOf(window.location.search));
    };
    const onRestored = (event: Event): void => {
      const query = detailOf(event);
      if (typeof query === 'string') arrive(query);
    };
    window.addEventListener('popstate', onBack);
    window.addEventListener(RESTORED_EVENT, onRestored);
    document.documentElement.setAttribute(FOLLOWS_MARK, '');
    return () => {
      window.removeEventListener('popstate', onBack);
      window.removeEventListener(RESTORED_EVENT, onRestored);
      document.documentElement.removeAttribute(FOLLOWS_MARK);
    };
  }, []);
  return useSyncExternalStore(subscribe, pageQuery);
}

/** For the shell: the report of a framed page on its query; undefined for any other event. */
export function changedQueryOf(event: Event): ChangedQuery | undefined {
  const detail = detailOf(event);
  if (typeof detail !== 'object' || detail === null || !('query' in detail) || !('change' in detail)) return undefined;
  const { query, change } = detail;
  if (typeof query !== 'string' || (change !== 'push' && change !== 'replace')) return undefined;
  return { query: pageQueryOf(query), change };
}

/** For the shell: gives a query to the page in its frame. False when that page has to be loaded again for it. */
export function restoreFrameQuery(query: string): boolean {
  const frames = Array.from({ length: window.frames.length }, (_, at) => window.frames[at]);
  const following = frames.filter((frame): frame is Window => frame !== undefined && followsQuery(frame));
  for (const frame of following) frame.dispatchEvent(new CustomEvent(RESTORED_EVENT, { detail: query }));
  return following.length > 0;
}

function followsQuery(frame: Window): boolean {
  try {
    return frame.document.documentElement.hasAttribute(FOLLOWS_MARK);
  } catch {
    return false; // a page of another site
  }
}
