// The shell's address bar: which page it names, and how choosing one changes it.
import { useSyncExternalStore } from 'react';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { addressOfPage, type MenuPage } from '../../shared/protocol/menuPages.ts';
import { frameHoldsUnsaved, leaveFramesAfterAsking } from '../../shared/ui/form/unsaved.ts';

export interface HistoryEntry {
  readonly path: string;
  /** Another number for every page that is gone to, by choice or by Back; the frame is made anew for each. */
  readonly id: number;
}

const listeners = new Set<() => void>();
let entry: HistoryEntry = { path: window.location.pathname, id: 0 };

function arrive(next: HistoryEntry): void {
  entry = next;
  for (const listener of listeners) listener();
}

function onHistory(): void {
  if (frameHoldsUnsaved()) {
    // The browser has moved already. The page that is still shown gets its entry back, in front of the one gone to.
    window.history.pushState(null, '', entry.path + (pageFlags().nontop ? '?nontop=1' : ''));
    leaveFramesAfterAsking(() => window.history.back());
    return;
  }
  arrive({ path: window.location.pathname, id: entry.id + 1 });
}

function subscribe(onChange: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', onHistory);
  listeners.add(onChange);
  return () => {
    listeners.delete(onChange);
    if (listeners.size === 0) window.removeEventListener('popstate', onHistory);
  };
}

export function useHistoryEntry(): HistoryEntry {
  return useSyncExternalStore(subscribe, () => entry);
}

/** A page's address in the shell, `nontop` kept. The frame token never stands in it. */
export function shellAddress(page: MenuPage): string {
  return addressOfPage(page) + (pageFlags().nontop ? '?nontop=1' : '');
}

/**
 * Goes to a page, once the user has agreed to lose what the present one holds unsaved. The one that is there already is
 * loaded again, without a further history entry.
 */
export function goToPage(page: MenuPage): void {
  leaveFramesAfterAsking(() => {
    const path = addressOfPage(page);
    if (window.location.pathname !== path) window.history.pushState(null, '', shellAddress(page));
    arrive({ path, id: entry.id + 1 });
  });
}

/** Loads the page that is there again. */
export function reloadPage(): void {
  arrive({ path: entry.path, id: entry.id + 1 });
}

/** The framed page went to another page by itself: the address bar follows, the frame stays as it is. */
export function followFrame(page: MenuPage): void {
  const path = addressOfPage(page);
  if (window.location.pathname === path) return;
  window.history.replaceState(null, '', shellAddress(page));
  arrive({ path, id: entry.id });
}
