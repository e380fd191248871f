// What the gateway tells of data sync.
import type { SyncItem, SyncRule } from '../../../shared/protocol/api/sync/sync.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

const FROM_MS = Date.UTC(2026, 10, 25, 8);

export function aSyncItem(changes: Partial<SyncItem> = {}): SyncItem {
  return {
    id: 1,
    deviceid: 'BUS1',
    name: 'Lake line 1',
    plate: 'KAA-1',
    channel: 3,
    stream: 'any',
    fromMs: wallMs(FROM_MS),
    toMs: wallMs(FROM_MS + 600_000),
    deviceFromMs: wallMs(FROM_MS),
    deviceToMs: wallMs(FROM_MS + 600_000),
    rule: 4,
    ruleName: 'Depot at night',
    requestedBy: '',
    event: 0,
    state: 'planned',
    wait: '',
    fault: '',
    method: 'ftp',
    attempts: 0,
    receivedBytes: 0,
    totalBytes: 0,
    bytesPerSecond: 0,
    hasFile: false,
    createdAtMs: wallMs(FROM_MS),
    changedAtMs: wallMs(FROM_MS),
    ...changes,
  };
}

export function aSyncRule(changes: Partial<SyncRule> = {}): SyncRule {
  return {
    id: 4,
    version: 1,
    name: 'Depot at night',
    enabled: true,
    devices: [],
    deviceGroups: [],
    channels: [],
    stream: 'any',
    choice: 'gaps',
    eventTypes: [],
    hours: [],
    daysBack: 3,
    wifi: true,
    lan: true,
    mobile: false,
    concurrency: 20,
    kilobitsPerSecond: 0,
    megabytesADay: 0,
    keptDays: 0,
    priority: 5,
    changedAtMs: wallMs(FROM_MS),
    changedBy: 'ann',
    openItems: 12,
    ...changes,
  };
}
