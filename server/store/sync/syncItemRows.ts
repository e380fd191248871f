// Items of data sync as stored in their table.
import type { Selectable } from 'kysely';
import {
  SYNC_ENDED_STATES,
  SYNC_FAULTS,
  SYNC_ITEM_STATES,
  SYNC_METHODS,
  SYNC_STREAMS,
  SYNC_WAITS,
  type SyncFault,
  type SyncItemState,
  type SyncMethod,
  type SyncStream,
  type SyncWait,
} from '../../../shared/protocol/sync/syncWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { SyncItemTable } from './tables.ts';

export interface NewSyncItem {
  readonly incarnation: number;
  readonly channel: number;
  readonly stream: SyncStream;
  /** Time by the gateway's clock, and by the device's. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly deviceFromMs: number;
  readonly deviceToMs: number;
  readonly rule: number | undefined;
  /** Member group of the rule, or of the member who requested it; 0: an event did. */
  readonly memberGroup: number;
  readonly requestedBy: string;
  readonly eventId: number;
  readonly state: SyncItemState;
  /** Size in the device's list; 0 if unknown. */
  readonly totalBytes: number;
  /** Items with a lower position come first. */
  readonly position: number;
}

export interface StoredSyncItem extends NewSyncItem {
  readonly id: number;
  readonly wait: SyncWait;
  readonly fault: SyncFault;
  /** Undefined until one was chosen. */
  readonly method: SyncMethod | undefined;
  readonly attempts: number;
  readonly receivedBytes: number;
  readonly bytesPerSecond: number;
  /** Total time of all attempts that have ended. */
  readonly transferMs: number;
  /** Random name of a file that is no readable video; '' for none. */
  readonly file: string;
  readonly nextAtMs: number;
  readonly createdAtMs: WallMs;
  readonly changedAtMs: WallMs;
}

export type SyncItemChange = Partial<
  Pick<
    StoredSyncItem,
    | 'state'
    | 'wait'
    | 'fault'
    | 'method'
    | 'attempts'
    | 'receivedBytes'
    | 'totalBytes'
    | 'bytesPerSecond'
    | 'transferMs'
    | 'file'
    | 'nextAtMs'
    | 'position'
  >
>;

const ENDED: ReadonlySet<SyncItemState> = new Set(SYNC_ENDED_STATES);

export function hasEnded(state: SyncItemState): boolean {
  return ENDED.has(state);
}

export function stateNumber(state: SyncItemState): number {
  return SYNC_ITEM_STATES.indexOf(state);
}

export function stateColumns(state: SyncItemState) {
  return { state: stateNumber(state), is_ended: hasEnded(state) ? 1 : 0 };
}

export function columnsOfNew(item: NewSyncItem, atMs: number) {
  return {
    incarnation: item.incarnation,
    channel: item.channel,
    stream: item.stream,
    from_ms: item.fromMs,
    to_ms: item.toMs,
    device_from_ms: item.deviceFromMs,
    device_to_ms: item.deviceToMs,
    rule: item.rule ?? null,
    member_group: item.memberGroup,
    requested_by: item.requestedBy,
    event_id: item.eventId,
    ...stateColumns(item.state),
    total_bytes: item.totalBytes,
    position: item.position,
    created_at_ms: atMs,
    changed_at_ms: atMs,
  };
}

export function columnsOfChange({
  state,
  receivedBytes,
  totalBytes,
  bytesPerSecond,
  transferMs,
  nextAtMs,
  ...same
}: SyncItemChange) {
  return {
    ...same,
    ...(state === undefined ? {} : stateColumns(state)),
    ...(receivedBytes === undefined ? {} : { received_bytes: receivedBytes }),
    ...(totalBytes === undefined ? {} : { total_bytes: totalBytes }),
    ...(bytesPerSecond === undefined ? {} : { bytes_per_second: bytesPerSecond }),
    ...(transferMs === undefined ? {} : { transfer_ms: transferMs }),
    ...(nextAtMs === undefined ? {} : { next_at_ms: nextAtMs }),
  };
}

export function toItem(row: Selectable<SyncItemTable>): StoredSyncItem {
  return {
    id: row.id,
    incarnation: row.incarnation,
    channel: row.channel,
    stream: wordOf(SYNC_STREAMS, row.stream) ?? 'any',
    fromMs: row.from_ms,
    toMs: row.to_ms,
    deviceFromMs: row.device_from_ms,
    deviceToMs: row.device_to_ms,
    rule: row.rule ?? undefined,
    memberGroup: row.member_group,
    requestedBy: row.requested_by,
    eventId: row.event_id,
    state: SYNC_ITEM_STATES[row.state] ?? 'failed',
    wait: wordOf(SYNC_WAITS, row.wait) ?? '',
    fault: wordOf(SYNC_FAULTS, row.fault) ?? 'internal',
    method: wordOf(SYNC_METHODS, row.method),
    attempts: row.attempts,
    receivedBytes: row.received_bytes,
    totalBytes: row.total_bytes,
    bytesPerSecond: row.bytes_per_second,
    transferMs: row.transfer_ms,
    file: row.file,
    position: row.position,
    nextAtMs: row.next_at_ms,
    createdAtMs: wallMs(row.created_at_ms),
    changedAtMs: wallMs(row.changed_at_ms),
  };
}

function wordOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}
