// How a page stands to the shell: alone, inside it, or the shell itself; and whether the shell's floating button lies
// over the page's top left corner.
import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '../theme.ts';
import { isFramedByOwnSite } from './framedByOwnSite.ts';

/** Narrow is below md. */
export const NARROW_QUERY = `(max-width: ${BREAKPOINTS.md - 0.02}px)`;

/** On the shell's root element, so that the shell's own top bar knows where it is. */
const SHELL_MARK = 'data-shell';

export function markShell(): void {
  document.documentElement.setAttribute(SHELL_MARK, '');
}

/** The button shows by the width of the shell's window, which is not that of a frame in it. */
function narrowShell(): MediaQueryList | undefined {
  if (document.documentElement.hasAttribute(SHELL_MARK)) return window.matchMedia(NARROW_QUERY);
  return isFramedByOwnSite() ? window.parent.matchMedia(NARROW_QUERY) : undefined;
}

function subscribe(onChange: () => void): () => void {
  const query = narrowShell();
  query?.addEventListener('change', onChange);
  return () => query?.removeEventListener('change', onChange);
}

export function useShellButton(): boolean {
  return useSyncExternalStore(subscribe, () => narrowShell()?.matches ?? false);
}
