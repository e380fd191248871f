// What can be done with an item, and how far it is. Pure.
import type { SyncItem } from '../../../../shared/protocol/api/sync/sync.ts';
import { SYNC_ENDED_STATES, type SyncItemAct } from '../../../../shared/protocol/sync/syncWords.ts';

export function hasEnded({ state }: Pick<SyncItem, 'state'>): boolean {
  return SYNC_ENDED_STATES.some((ended) => ended === state);
}

export function mayAct(item: Pick<SyncItem, 'state'>, act: SyncItemAct): boolean {
  switch (act) {
    case 'retry':
      return item.state === 'failed' || item.state === 'canceled';
    case 'resume':
      return item.state === 'paused';
    case 'pause':
      return !hasEnded(item) && item.state !== 'paused';
    case 'cancel':
    case 'first':
    case 'last':
      return !hasEnded(item);
  }
}

/** 0 to 1; undefined while it isn't known how much there is, or nothing is on its way. */
export function shareOf({ state, receivedBytes, totalBytes }: SyncItem): number | undefined {
  if (state !== 'running' && state !== 'paused') return undefined;
  return totalBytes === 0 ? undefined : Math.min(1, receivedBytes / totalBytes);
}
