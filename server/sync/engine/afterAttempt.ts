// The next step of an item after an attempt to fetch it. Pure.
import type { SyncFault, SyncItemState, SyncWait } from '../../../shared/protocol/sync/syncWords.ts';

/** How an attempt has ended by itself. */
export type SettledEnd =
  /** Everything that the device has of the item is stored. */
  | { readonly kind: 'stored' }
  /** The device has nothing of it. */
  | { readonly kind: 'nothing-there' }
  /** The device can't do it with this method. */
  | { readonly kind: 'unusable'; readonly fault: 'refused' | 'nothing-sent' | 'unreadable' }
  /** `addedMs`: length of the part that has come nevertheless: it is kept, and not fetched again. */
  | { readonly kind: 'failed'; readonly fault: SyncFault; readonly addedMs: number }
  /** The device waits for a network that it may use. */
  | { readonly kind: 'no-network' }
  /** The maximum of uploads is under way. */
  | { readonly kind: 'busy' };

export type AttemptEnd =
  | SettledEnd
  /** Pictures are missing at this speed. */
  | { readonly kind: 'too-fast' }
  /** The engine has stopped it. */
  | { readonly kind: 'stopped' };

export interface NextStep {
  readonly state: SyncItemState;
  readonly wait: SyncWait;
  readonly fault: SyncFault;
  readonly attempts: number;
  /** Earliest time of the next attempt; 0: at once. */
  readonly nextAtMs: number;
}

/** Temporary causes. */
const PASSING: ReadonlySet<SyncFault> = new Set<SyncFault>([
  'no-answer',
  'disconnected',
  'incomplete',
  'nothing-sent',
  'disk-full',
  'internal',
]);

/** Waits after the first and the second attempt; after the third one the item has failed. */
const RETRY_MS = [60_000, 10 * 60_000] as const;
const BUSY_MS = 30_000;
/** Wait before a device is asked again that was on none of the networks that it may use. */
export const NETWORK_MS = 15 * 60_000;

export function afterAttempt(end: SettledEnd, attempts: number, nowMs: number): NextStep {
  const ended = (state: SyncItemState, fault: SyncFault = ''): NextStep => {
    return { state, wait: '', fault, attempts, nextAtMs: 0 };
  };
  switch (end.kind) {
    case 'stored':
      return ended('done');
    case 'nothing-there':
      return ended('lost');
    case 'no-network':
      return { state: 'waiting', wait: 'network', fault: '', attempts, nextAtMs: nowMs + NETWORK_MS };
    case 'busy':
      return { state: 'waiting', wait: 'turn', fault: '', attempts, nextAtMs: nowMs + BUSY_MS };
    case 'unusable':
      return end.fault === 'nothing-sent' ? again(end.fault, attempts, nowMs) : ended('failed', end.fault);
    case 'failed':
      if (!PASSING.has(end.fault)) return ended('failed', end.fault);
      // A bus on its way often loses its connection: an attempt that has brought something resets the count.
      return again(end.fault, end.addedMs > 0 ? -1 : attempts, nowMs);
  }
}

function again(fault: SyncFault, attempts: number, nowMs: number): NextStep {
  const waitMs = attempts < 0 ? RETRY_MS[0] : RETRY_MS[attempts];
  const made = attempts + 1;
  if (waitMs === undefined) return { state: 'failed', wait: '', fault, attempts: made, nextAtMs: 0 };
  return { state: 'waiting', wait: 'retry', fault, attempts: made, nextAtMs: nowMs + waitMs };
}
