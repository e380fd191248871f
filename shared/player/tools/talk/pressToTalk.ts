// One button for both ways to talk: held down it speaks while it is held, pressed shortly it speaks until it is pressed
// again. Pure.

/** A press that ends sooner was a click. */
const HOLD_FROM_MS = 350;

export type TalkButton =
  | { readonly kind: 'off' }
  | { readonly kind: 'held'; readonly sinceMs: number }
  /** The button stays on although it is not held. */
  | { readonly kind: 'latched' };

export const OFF: TalkButton = { kind: 'off' };

export function pressed(button: TalkButton, nowMs: number): TalkButton {
  return button.kind === 'off' ? { kind: 'held', sinceMs: nowMs } : OFF;
}

export function released(button: TalkButton, nowMs: number): TalkButton {
  if (button.kind !== 'held') return button;
  return nowMs - button.sinceMs < HOLD_FROM_MS ? { kind: 'latched' } : OFF;
}

/** The hold was taken away without a sign that talking should go on. */
export function interrupted(button: TalkButton): TalkButton {
  return button.kind === 'held' ? OFF : button;
}
