// The only module that knows `notify_rule`: who is notified about which events.
import { type Selectable, sql } from 'kysely';
import {
  MAX_RULES,
  type NotifyRule,
  type NotifyRuleContent,
  type NotifyRuleSort,
} from '../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { numberColumn, textKey } from '../engine/listPage.ts';
import {
  createGroupRecordStore,
  type GroupRecordStore,
  OF_MEMBER_GROUP,
  type RecordEdit,
} from '../records/groupRecords.ts';
import type { NotifyRuleTable } from './tables.ts';

export interface StoredNotifyRule extends NotifyRule {
  readonly memberGroup: number;
}

export interface NotifyRuleStore extends GroupRecordStore<NotifyRuleContent, StoredNotifyRule, NotifyRuleSort> {
  /** Rules of all member groups, ordered by id. */
  all(): Promise<StoredNotifyRule[]>;
}

/**
 * Notification rules, of all member groups together: each event is checked against the rules of the device's member groups. A further one
 * is refused with 409 `too-many-notify-rules`.
 */
export const NOTIFY_RULES_LIMIT: Limit = { name: 'notify.rules.all', max: MAX_RULES };

export function createNotifyRuleStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): NotifyRuleStore {
  const records = {
    table: 'notify_rule',
    ...OF_MEMBER_GROUP,
    rows: rulesIn,
    toRow: toRule,
    toColumns,
    sorts: {
      name: textKey(sql`lower(notify_rule.name)`),
      changedAtMs: numberColumn('notify_rule.changed_at_ms'),
    },
    searched: ['notify_rule.name'],
    limit: NOTIFY_RULES_LIMIT,
    counted: () => ({}),
  } as const;
  return {
    ...createGroupRecordStore(records, { db, reading, onLimit }),
    all: async () => (await rulesIn(reading).orderBy('id').execute()).map(toRule),
  };
}

function rulesIn(db: StoreDb) {
  return db.selectFrom('notify_rule').selectAll();
}

function toColumns({ content, by, atMs }: RecordEdit<NotifyRuleContent>) {
  const { name, enabled, ...settings } = content;
  return {
    name,
    enabled: enabled ? 1 : 0,
    settings: JSON.stringify(settings),
    changed_at_ms: atMs,
    changed_by: by,
  };
}

function toRule(row: Selectable<NotifyRuleTable>): StoredNotifyRule {
  const settings = JSON.parse(row.settings) as Omit<NotifyRuleContent, 'name' | 'enabled'>;
  return {
    ...settings,
    id: row.id,
    memberGroup: row.member_group,
    version: row.version,
    name: row.name,
    enabled: row.enabled !== 0,
    changedAtMs: wallMs(row.changed_at_ms),
    changedBy: row.changed_by,
  };
}
