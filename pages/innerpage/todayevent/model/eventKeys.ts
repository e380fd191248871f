// What the keys of the list do. Pure.
import type { OfferedAct } from '../../../../shared/ui/events/useEventActs.tsx';

export type EventCommand =
  | { readonly kind: 'act'; readonly act: OfferedAct }
  /** To another event of the list; `selects`: all on the way are selected. */
  | { readonly kind: 'move'; readonly to: 'next' | 'previous' | 'first' | 'last'; readonly selects: boolean }
  | { readonly kind: 'video' | 'select' | 'select-all' | 'open' | 'leave' | 'help' };

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

const LETTERS: Readonly<Record<string, EventCommand>> = {
  j: { kind: 'move', to: 'next', selects: false },
  k: { kind: 'move', to: 'previous', selects: false },
  a: { kind: 'act', act: 'acknowledge' },
  c: { kind: 'act', act: 'close' },
  f: { kind: 'act', act: 'false-alarm' },
  g: { kind: 'act', act: 'assign' },
  n: { kind: 'act', act: 'note' },
  v: { kind: 'video' },
};

const LIST_KEYS: Readonly<Record<string, EventCommand>> = {
  ' ': { kind: 'select' },
  Enter: { kind: 'open' },
};

const MOVES: Readonly<Record<string, 'next' | 'previous' | 'first' | 'last'>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
};

/** `isInList`: the list has the focus. Nothing for keys that are the browser's. */
export function eventCommand(key: Key, isInList: boolean): EventCommand | undefined {
  if (key.altKey) return undefined;
  if (key.ctrlKey || key.metaKey)
    return key.key.toLowerCase() === 'a' && !key.shiftKey ? { kind: 'select-all' } : undefined;
  if (key.key === 'Escape') return { kind: 'leave' };
  if (key.key === '?') return { kind: 'help' };
  const to = isInList ? MOVES[key.key] : undefined;
  if (to !== undefined) return { kind: 'move', to, selects: key.shiftKey };
  if (key.shiftKey) return undefined;
  return LETTERS[key.key.toLowerCase()] ?? (isInList ? LIST_KEYS[key.key] : undefined);
}

const TYPED = 'input:not([type=checkbox]), select, textarea, [contenteditable=true]';
const PLAYER = '.playback-screen, .video-tile';
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** Whether a key that is pressed there belongs to something else: a field, the player, a dialog. */
export function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(`${TYPED}, ${PLAYER}`) !== null) return true;
  const overlay = target.closest(OVERLAY);
  // The sheet of an event on a narrow window is a part of the list.
  return overlay !== null && overlay.closest('[data-event-sheet]') === null;
}

/** Where a key leads in the list; undefined where there is nothing. */
export function movedTo(
  listed: readonly number[],
  current: number | undefined,
  to: 'next' | 'previous' | 'first' | 'last',
): number | undefined {
  const at = current === undefined ? -1 : listed.indexOf(current);
  switch (to) {
    case 'first':
      return listed[0];
    case 'last':
      return listed.at(-1);
    case 'next':
      return listed[Math.min(at + 1, listed.length - 1)];
    case 'previous':
      return listed[Math.max(at - 1, 0)];
  }
}
