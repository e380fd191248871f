// What an item comes to that needs no attempt, or one of each way. Pure.
import type { SyncMethod } from '../../../shared/protocol/sync/syncWords.ts';
import type { StoredSyncItem } from '../../store/sync/syncItemRows.ts';
import type { AttemptEnd } from './afterAttempt.ts';

const MOBILE = 4;

/** It says nothing of the network, so that it is for rules that allow each of them. */
export function allowsPlayback(networks: number): boolean {
  return (networks & MOBILE) !== 0;
}

/** `known`: how the item or the model was fetched before, perhaps for somebody who allows each network. */
export function methodFor(networks: number, known: SyncMethod): SyncMethod {
  return allowsPlayback(networks) ? known : 'ftp';
}

/** What has come in earlier attempts was fetched, what others have recorded was not. */
export function endOfHere({ receivedBytes }: StoredSyncItem): 'done' | 'skipped' {
  return receivedBytes > 0 ? 'done' : 'skipped';
}

/** Neither way went: the first one's file may be looked at. */
export function withFault(end: AttemptEnd, fault: 'refused' | 'nothing-sent' | 'unreadable'): AttemptEnd {
  return end.kind === 'unusable' && fault === 'unreadable' ? { kind: 'unusable', fault } : end;
}
