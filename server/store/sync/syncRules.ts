// The only module that knows `sync_rule`: the recordings that member groups fetch from their devices.
import type { Selectable } from 'kysely';
import {
  MAX_SYNC_RULES,
  type SYNC_RULE_SORTS,
  type SyncRule,
  type SyncRuleContent,
} from '../../../shared/protocol/api/sync/sync.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { numberColumn, textColumn } from '../engine/listPage.ts';
import {
  createGroupRecordStore,
  type GroupRecordStore,
  OF_MEMBER_GROUP,
  type RecordEdit,
} from '../records/groupRecords.ts';
import type { SyncRuleTable } from './tables.ts';

export interface StoredSyncRule {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: SyncRuleContent;
  readonly changedAtMs: SyncRule['changedAtMs'];
  readonly changedBy: string;
}

type SyncRuleSort = (typeof SYNC_RULE_SORTS)[number];

export interface SyncRuleStore extends GroupRecordStore<SyncRuleContent, StoredSyncRule, SyncRuleSort> {
  /** Rules of all member groups, ordered by id. */
  all(): Promise<StoredSyncRule[]>;
}

/** Sync rules of a member group. A further one is refused with 409 `too-many-sync-rules`. */
export const SYNC_RULES_LIMIT: Limit = { name: 'sync.rules.group', max: MAX_SYNC_RULES };

export function createSyncRuleStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): SyncRuleStore {
  const records = {
    table: 'sync_rule',
    ...OF_MEMBER_GROUP,
    rows: rulesIn,
    toRow: toRule,
    toColumns,
    sorts: {
      name: textColumn('sync_rule.name_key'),
      priority: numberColumn('sync_rule.priority'),
      changedAtMs: numberColumn('sync_rule.changed_at_ms'),
    },
    searched: ['sync_rule.name_key'],
    limit: SYNC_RULES_LIMIT,
  } as const;
  return {
    ...createGroupRecordStore(records, { db, reading, onLimit }),
    all: async () => (await rulesIn(db).orderBy('id').execute()).map(toRule),
  };
}

function rulesIn(db: StoreDb) {
  return db.selectFrom('sync_rule').selectAll();
}

function toColumns({ content, by, atMs }: RecordEdit<SyncRuleContent>) {
  const { name, enabled, priority, ...rest } = content;
  return {
    name,
    name_key: name.toLowerCase(),
    enabled: enabled ? 1 : 0,
    priority,
    content: JSON.stringify(rest),
    changed_at_ms: atMs,
    changed_by: by,
  };
}

function toRule(row: Selectable<SyncRuleTable>): StoredSyncRule {
  const content = JSON.parse(row.content) as Omit<SyncRuleContent, 'name' | 'enabled' | 'priority'>;
  return {
    id: row.id,
    memberGroup: row.member_group,
    version: row.version,
    content: { ...content, name: row.name, enabled: row.enabled !== 0, priority: row.priority },
    changedAtMs: wallMs(row.changed_at_ms),
    changedBy: row.changed_by,
  };
}
