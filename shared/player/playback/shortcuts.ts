// What the keys of a playback page do: those of every editor. Pure.

export type PlaybackCommand =
  | { readonly type: 'toggle' | 'pause' | 'forward' | 'backward' | 'first' | 'last' }
  | { readonly type: 'seek'; readonly deltaMs: number }
  | { readonly type: 'step'; readonly frames: number };

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

const SHORT_MS = 5_000;
const LONG_MS = 60_000;

const COMMANDS: Readonly<Record<string, PlaybackCommand>> = {
  ' ': { type: 'toggle' },
  k: { type: 'pause' },
  l: { type: 'forward' },
  j: { type: 'backward' },
  ',': { type: 'step', frames: -1 },
  '.': { type: 'step', frames: 1 },
  home: { type: 'first' },
  end: { type: 'last' },
};

/** Nothing for keys that are the browser's. */
export function playbackCommand({ key, shiftKey, ctrlKey, altKey, metaKey }: Key): PlaybackCommand | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  const deltaMs = shiftKey ? LONG_MS : SHORT_MS;
  if (key === 'ArrowLeft') return { type: 'seek', deltaMs: -deltaMs };
  if (key === 'ArrowRight') return { type: 'seek', deltaMs };
  return shiftKey ? undefined : COMMANDS[key.toLowerCase()];
}

/** Whether a key pressed there is for the element itself. */
export function isForElement(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input, select, textarea, dialog, [contenteditable=true]') !== null) return true;
  return key === ' ' && target.closest('button, a, summary, [role=menuitem]') !== null;
}
