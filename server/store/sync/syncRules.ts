// The only module that knows `sync_rule`: the recordings that member groups fetch from their devices.
import { type Selectable, sql } from 'kysely';
import {
  MAX_SYNC_RULES,
  type SYNC_RULE_SORTS,
  type SyncRule,
  type SyncRuleContent,
} from '../../../shared/protocol/api/sync/sync.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  numberColumn,
  type PageRequest,
  type SortKey,
  textColumn,
} from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
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

interface SyncRuleQuery extends PageRequest<SyncRuleSort> {
  readonly memberGroup: number;
  readonly search: string;
}

/** A version of a rule; a rule of another member group counts as missing. */
interface NamedSyncRule {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

export interface SyncRuleChange {
  readonly content: SyncRuleContent;
  /** Username. */
  readonly by: string;
  readonly atMs: number;
}

export interface SyncRuleStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: SyncRuleQuery): Promise<FoundPage<StoredSyncRule> | undefined>;
  find(id: number, memberGroup: number): Promise<StoredSyncRule | undefined>;
  /** Rules of all member groups, ordered by id. */
  all(): Promise<StoredSyncRule[]>;
  insert(memberGroup: number, change: SyncRuleChange): Promise<Outcome<StoredSyncRule, 'too-many'>>;
  /** Gives the rule before and after the change. */
  update(
    named: NamedSyncRule,
    change: SyncRuleChange,
  ): Promise<Outcome<{ readonly before: StoredSyncRule; readonly after: StoredSyncRule }, 'gone' | 'conflict'>>;
  /** Gives the rule as it was. */
  remove(named: NamedSyncRule): Promise<Outcome<StoredSyncRule, 'gone' | 'conflict'>>;
}

/** Sync rules of a member group. A further one is refused with 409 `too-many-sync-rules`. */
export const SYNC_RULES_LIMIT: Limit = { name: 'sync.rules.group', max: MAX_SYNC_RULES };

const ORDER = {
  name: textColumn('sync_rule.name_key'),
  priority: numberColumn('sync_rule.priority'),
  changedAtMs: numberColumn('sync_rule.changed_at_ms'),
} as const satisfies Record<SyncRuleSort, SortKey>;

export function createSyncRuleStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): SyncRuleStore {
  return {
    page: (query) => pageOfRules(reading, query),
    find: (id, memberGroup) => findRule(db, id, memberGroup),
    all: async () => (await db.selectFrom('sync_rule').selectAll().orderBy('id').execute()).map(toRule),
    insert: (memberGroup, change) =>
      db.transaction().execute(async (work) => {
        // The lock makes concurrent additions wait for each other, so that the second counts the rule of the first.
        const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
        await group.set({ serialno: memberGroup }).execute();
        if ((await countRules(work, memberGroup)) >= SYNC_RULES_LIMIT.max) {
          onLimit?.(SYNC_RULES_LIMIT);
          return { ok: false, reason: 'too-many' };
        }
        const row = work.insertInto('sync_rule').values({ member_group: memberGroup, ...toColumns(change) });
        return { ok: true, value: toRule(await row.returningAll().executeTakeFirstOrThrow()) };
      }),
    update: (named, change) =>
      db.transaction().execute(async (work) => {
        const before = await findRule(work, named.id, named.memberGroup);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const row = await work
          .updateTable('sync_rule')
          .set({ ...toColumns(change), version: named.version + 1 })
          .where('id', '=', named.id)
          .where('version', '=', named.version)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return { ok: false, reason: 'conflict' };
        return { ok: true, value: { before, after: toRule(row) } };
      }),
    remove: (named) =>
      db.transaction().execute(async (work) => {
        const before = await findRule(work, named.id, named.memberGroup);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const rule = work.deleteFrom('sync_rule').where('id', '=', named.id).where('version', '=', named.version);
        const { numDeletedRows } = await rule.executeTakeFirst();
        return numDeletedRows > 0n ? { ok: true, value: before } : { ok: false, reason: 'conflict' };
      }),
  };
}

async function pageOfRules(db: StoreDb, query: SyncRuleQuery): Promise<FoundPage<StoredSyncRule> | undefined> {
  const { memberGroup, search, sort } = query;
  const own = db.selectFrom('sync_rule').selectAll().where('member_group', '=', memberGroup);
  const rows = search === '' ? own : own.where(likeSearch('sync_rule.name_key', search.toLowerCase()));
  const page = await listPage(db, { rows, keys: [ORDER[sort], numberColumn('sync_rule.id')] }, query);
  return page && { ...page, rows: page.rows.map(toRule) };
}

async function findRule(db: StoreDb, id: number, memberGroup: number): Promise<StoredSyncRule | undefined> {
  const rules = db.selectFrom('sync_rule').selectAll().where('id', '=', id).where('member_group', '=', memberGroup);
  const row = await rules.executeTakeFirst();
  return row === undefined ? undefined : toRule(row);
}

async function countRules(db: StoreDb, memberGroup: number): Promise<number> {
  const counted = db.selectFrom('sync_rule').select(sql<number>`count(*)`.as('count'));
  return Number((await counted.where('member_group', '=', memberGroup).executeTakeFirstOrThrow()).count);
}

function toColumns({ content, by, atMs }: SyncRuleChange) {
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
