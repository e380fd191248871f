// The outcome of a request, in one word for the requester. Pure.
import type { SyncItemState, SyncRequestOutcome } from '../../../shared/protocol/sync/syncWords.ts';

/** `items`: the planned items. `isQueued`: some of it was in the queue before. */
export function requestOutcome(
  items: readonly { readonly state: SyncItemState }[],
  isQueued: boolean,
): SyncRequestOutcome {
  if (items.some(({ state }) => state === 'planned')) return 'planned';
  if (isQueued) return 'queued';
  return items.some(({ state }) => state === 'lost') ? 'lost' : 'here';
}
