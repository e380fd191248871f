// Rules and items of data sync as tests begin with them.
import type { NewSyncItem } from '../../../server/store/sync/syncItemRows.ts';
import type { SyncRuleContent } from '../../../shared/protocol/api/sync/sync.ts';

export function aSyncRule(change: Partial<SyncRuleContent> = {}): SyncRuleContent {
  return {
    name: 'Everything',
    enabled: true,
    devices: [],
    deviceGroups: [],
    channels: [],
    stream: 'any',
    choice: 'all',
    eventTypes: [],
    hours: [],
    daysBack: 7,
    wifi: true,
    lan: true,
    mobile: true,
    concurrency: 20,
    kilobitsPerSecond: 0,
    megabytesADay: 0,
    keptDays: 0,
    priority: 5,
    ...change,
  };
}

export function aSyncItem(incarnation: number, change: Partial<NewSyncItem> = {}): NewSyncItem {
  return {
    incarnation,
    channel: 1,
    stream: 'main',
    fromMs: 1_000_000,
    toMs: 1_600_000,
    deviceFromMs: 1_000_000,
    deviceToMs: 1_600_000,
    rule: undefined,
    memberGroup: 0,
    requestedBy: 'ann',
    eventId: 0,
    state: 'planned',
    totalBytes: 0,
    position: 1,
    ...change,
  };
}
