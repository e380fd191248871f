// The shell's address bar: which page it names and what that page shows, and how choosing one changes it.
import { useSyncExternalStore } from 'react';
import { addressOfPage, type MenuPage } from '../../shared/protocol/menuPages.ts';
import { frameHoldsUnsaved, leaveFramesAfterAsking } from '../../shared/ui/form/unsaved.ts';
import {
  changedQueryOf,
  pageQueryOf,
  QUERY_CHANGED_EVENT,
  restoreFrameQuery,
  withQuery,
} from '../../shared/ui/frame/pageQuery.ts';

export interface HistoryEntry {
  readonly path: string;
  /** What the page shows, as the page itself says it; '' for nothing in particular. */
  readonly query: string;
  /** Another number for every page visited, by choice or by Back; each visit gets a new frame. */
  readonly id: number;
}

const listeners = new Set<() => void>();
let entry: HistoryEntry = { ...addressed(), id: 0 };

function addressed(): Omit<HistoryEntry, 'id'> {
  return { path: window.location.pathname, query: pageQueryOf(window.location.search) };
}

function arrive(next: HistoryEntry): void {
  entry = next;
  for (const listener of listeners) listener();
}

function onHistory(): void {
  const next = addressed();
  if (next.path === entry.path && restoreFrameQuery(next.query)) {
    arrive({ ...next, id: entry.id });
    return;
  }
  if (frameHoldsUnsaved()) {
    // The browser has moved already. The page that is still shown gets its entry back, in front of the one gone to.
    window.history.pushState(null, '', withQuery(entry.path, entry.query));
    leaveFramesAfterAsking(() => window.history.back());
    return;
  }
  arrive({ ...next, id: entry.id + 1 });
}

function onFrameQuery(event: Event): void {
  const changed = changedQueryOf(event);
  if (changed === undefined) return;
  const { query, change } = changed;
  const address = withQuery(entry.path, query);
  if (change === 'push') window.history.pushState(null, '', address);
  else window.history.replaceState(null, '', address);
  arrive({ ...entry, query });
}

function subscribe(onChange: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('popstate', onHistory);
    window.addEventListener(QUERY_CHANGED_EVENT, onFrameQuery);
  }
  listeners.add(onChange);
  return () => {
    listeners.delete(onChange);
    if (listeners.size > 0) return;
    window.removeEventListener('popstate', onHistory);
    window.removeEventListener(QUERY_CHANGED_EVENT, onFrameQuery);
  };
}

export function useHistoryEntry(): HistoryEntry {
  return useSyncExternalStore(subscribe, () => entry);
}

/** A page's address in the shell, `nontop` kept; `query`: what the page is to show. The frame token never stands in it. */
export function shellAddress(page: MenuPage, query = ''): string {
  return withQuery(addressOfPage(page), query);
}

/**
 * Goes to a page, and to what it is to show, once the user has agreed to lose what the present one holds unsaved. The one that is there already is
 * loaded again, without a further history entry.
 */
export function goToPage(page: MenuPage, query = ''): void {
  leaveFramesAfterAsking(() => {
    const path = addressOfPage(page);
    const isThere = window.location.pathname === path && entry.query === query;
    if (!isThere) window.history.pushState(null, '', shellAddress(page, query));
    arrive({ path, query, id: entry.id + 1 });
  });
}

/** Loads the page that is there again. */
export function reloadPage(): void {
  arrive({ ...entry, id: entry.id + 1 });
}

/** The framed page went to another page by itself: the address bar follows, the frame stays as it is. */
export function followFrame(page: MenuPage, query: string): void {
  const path = addressOfPage(page);
  if (window.location.pathname === path) return;
  window.history.replaceState(null, '', withQuery(path, query));
  arrive({ path, query, id: entry.id });
}
