// What becomes of a request, in a word for who asked. Pure.
import type { SyncItemState, SyncRequestOutcome } from '../../../shared/protocol/sync/syncWords.ts';

/** `items`: as they were planned. `isQueued`: some of it was to be fetched before. */
export function requestOutcome(
  items: readonly { readonly state: SyncItemState }[],
  isQueued: boolean,
): SyncRequestOutcome {
  if (items.some(({ state }) => state === 'planned')) return 'planned';
  if (isQueued) return 'queued';
  return items.some(({ state }) => state === 'lost') ? 'lost' : 'here';
}
