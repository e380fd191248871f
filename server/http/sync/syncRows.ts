// Rules and items of data sync as callers and a CSV file have them.
import type { SyncItem, SyncRule } from '../../../shared/protocol/api/sync/sync.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { ShownSyncItem } from '../../store/sync/syncItemPages.ts';
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';

export function toSyncRule(
  { id, version, content, changedAtMs, changedBy }: StoredSyncRule,
  openItems: number,
): SyncRule {
  return { id, version, ...content, changedAtMs, changedBy, openItems };
}

export function toSyncItem(item: ShownSyncItem): SyncItem {
  return {
    id: item.id,
    deviceid: item.deviceId,
    name: item.name,
    plate: item.plate,
    channel: item.channel,
    stream: item.stream,
    fromMs: wallMs(item.fromMs),
    toMs: wallMs(item.toMs),
    deviceFromMs: wallMs(item.deviceFromMs),
    deviceToMs: wallMs(item.deviceToMs),
    rule: item.rule ?? 0,
    ruleName: item.ruleName,
    requestedBy: item.requestedBy,
    event: item.eventId,
    state: item.state,
    wait: item.wait,
    fault: item.fault,
    method: item.method ?? 'ftp',
    attempts: item.attempts,
    receivedBytes: item.receivedBytes,
    totalBytes: item.totalBytes,
    bytesPerSecond: item.bytesPerSecond,
    hasFile: item.file !== '',
    createdAtMs: item.createdAtMs,
    changedAtMs: item.changedAtMs,
  };
}

export const RULE_CSV_COLUMNS = [
  'name',
  'enabled',
  'choice',
  'devices',
  'device groups',
  'channels',
  'days back',
  'priority',
  'open items',
  'changed',
  'changed by',
] as const;

export function ruleCells(rule: SyncRule): CsvRow {
  return [
    rule.name,
    rule.enabled ? 'yes' : 'no',
    rule.choice,
    rule.devices.join(' '),
    rule.deviceGroups.join(' '),
    rule.channels.join(' '),
    rule.daysBack,
    rule.priority,
    rule.openItems,
    csvTimestamp(rule.changedAtMs),
    rule.changedBy,
  ];
}

export const ITEM_CSV_COLUMNS = [
  'device',
  'name',
  'plate',
  'channel',
  'stream',
  'from',
  'to',
  'state',
  'waits for',
  'fault',
  'method',
  'attempts',
  'received bytes',
  'rule',
  'requested by',
  'changed',
] as const;

export function itemCells(item: SyncItem): CsvRow {
  return [
    item.deviceid,
    item.name,
    item.plate,
    item.channel,
    item.stream,
    csvTimestamp(item.fromMs),
    csvTimestamp(item.toMs),
    item.state,
    item.wait,
    item.fault,
    item.method,
    item.attempts,
    item.receivedBytes,
    item.ruleName,
    item.requestedBy,
    csvTimestamp(item.changedAtMs),
  ];
}
