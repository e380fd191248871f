// The outcome of items that need no attempt, or an attempt with each method. Pure.
import type { SyncMethod } from '../../../shared/protocol/sync/syncWords.ts';
import type { StoredSyncItem, SyncItemChange } from '../../store/sync/syncItemRows.ts';
import { type AttemptEnd, afterAttempt } from './afterAttempt.ts';
import type { Run } from './run.ts';

const MOBILE = 4;

/** Playback can't choose a network, so it is for rules that allow all of them. */
export function allowsPlayback(networks: number): boolean {
  return (networks & MOBILE) !== 0;
}

/** `known`: how the item or the model was fetched before, perhaps for a request that allows each network. */
export function methodFor(networks: number, known: SyncMethod): SyncMethod {
  return allowsPlayback(networks) ? known : 'ftp';
}

/** If earlier attempts have received something, the item was fetched; otherwise the server has recorded it by itself. */
export function endOfHere({ receivedBytes }: StoredSyncItem): 'done' | 'skipped' {
  return receivedBytes > 0 ? 'done' : 'skipped';
}

/** Both methods have failed: then the first one's file can be downloaded. */
export function withFault(end: AttemptEnd, fault: 'refused' | 'nothing-sent' | 'unreadable'): AttemptEnd {
  return end.kind === 'unusable' && fault === 'unreadable' ? { kind: 'unusable', fault } : end;
}

/** A stop takes precedence, unless all of the item had come: the way in which it ended then says nothing about the device. */
export function nextOfRun(
  end: AttemptEnd,
  { item, stoppedAs }: Pick<Run, 'item' | 'stoppedAs'>,
  nowMs: number,
): SyncItemChange {
  if (end.kind !== 'stored' && stoppedAs !== undefined) return stoppedAs;
  if (end.kind === 'stopped' || end.kind === 'too-fast') return { state: 'planned', wait: '' };
  return afterAttempt(end, item.attempts, nowMs);
}
