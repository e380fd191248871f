import { SYNC_ENDED_STATES, type SyncItemState } from '../../../shared/protocol/sync/syncWords.ts';

const ENDED: ReadonlySet<SyncItemState> = new Set(SYNC_ENDED_STATES);

export function hasEndedState(state: SyncItemState): boolean {
  return ENDED.has(state);
}
