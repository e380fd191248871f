// What an item comes to that needs no attempt, or one of each way. Pure.
import type { SyncMethod } from '../../../shared/protocol/sync/syncWords.ts';
import type { StoredSyncItem, SyncItemChange } from '../../store/sync/syncItemRows.ts';
import { type AttemptEnd, afterAttempt } from './afterAttempt.ts';
import type { Run } from './run.ts';

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

/** Whoever has stopped it is right, unless all of it had come: how it ended then says nothing of the device. */
export function nextOfRun(
  end: AttemptEnd,
  { item, stoppedAs }: Pick<Run, 'item' | 'stoppedAs'>,
  nowMs: number,
): SyncItemChange {
  if (end.kind !== 'stored' && stoppedAs !== undefined) return stoppedAs;
  if (end.kind === 'stopped' || end.kind === 'too-fast') return { state: 'planned', wait: '' };
  return afterAttempt(end, item.attempts, nowMs);
}
