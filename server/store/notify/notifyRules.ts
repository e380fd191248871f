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
import { likeSearch } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, numberColumn, type PageRequest, type SortKey, textKey } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { NotifyRuleTable } from './tables.ts';

export interface StoredNotifyRule extends NotifyRule {
  readonly memberGroup: number;
}

interface NotifyRuleQuery extends PageRequest<NotifyRuleSort> {
  readonly memberGroup: number;
  readonly search: string;
}

/** A version of a rule; a rule of another member group counts as missing. */
interface NamedRule {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

export interface RuleChange {
  readonly content: NotifyRuleContent;
  /** Username. */
  readonly by: string;
  readonly atMs: number;
}

export interface NotifyRuleStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: NotifyRuleQuery): Promise<FoundPage<StoredNotifyRule> | undefined>;
  find(id: number, memberGroup: number): Promise<StoredNotifyRule | undefined>;
  /** Rules of all member groups, ordered by id. */
  all(): Promise<StoredNotifyRule[]>;
  insert(memberGroup: number, change: RuleChange): Promise<Outcome<StoredNotifyRule, 'too-many'>>;
  /** Gives the rule before and after the change. */
  update(
    named: NamedRule,
    change: RuleChange,
  ): Promise<Outcome<{ readonly before: StoredNotifyRule; readonly after: StoredNotifyRule }, 'gone' | 'conflict'>>;
  /** Gives the rule as it was. */
  remove(named: NamedRule): Promise<Outcome<StoredNotifyRule, 'gone' | 'conflict'>>;
}

/**
 * Notification rules, of all member groups together: each event is checked against the rules of the device's member groups. A further one
 * is refused with 409 `too-many-notify-rules`.
 */
export const NOTIFY_RULES_LIMIT: Limit = { name: 'notify.rules.all', max: MAX_RULES };

const ORDER = {
  name: textKey(sql`lower(notify_rule.name)`),
  changedAtMs: numberColumn('notify_rule.changed_at_ms'),
} as const satisfies Record<NotifyRuleSort, SortKey>;

export function createNotifyRuleStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): NotifyRuleStore {
  return {
    page: (query) => pageOfRules(reading, query),
    find: (id, memberGroup) => findRule(db, id, memberGroup),
    all: async () => (await reading.selectFrom('notify_rule').selectAll().orderBy('id').execute()).map(toRule),
    insert: (memberGroup, change) =>
      db.transaction().execute((work) => insertRule(work, { memberGroup, change }, onLimit)),
    update: (named, change) => db.transaction().execute((work) => updateRule(work, named, change)),
    remove: (named) => db.transaction().execute((work) => removeRule(work, named)),
  };
}

async function pageOfRules(db: StoreDb, query: NotifyRuleQuery): Promise<FoundPage<StoredNotifyRule> | undefined> {
  const own = db.selectFrom('notify_rule').selectAll().where('member_group', '=', query.memberGroup);
  const text = query.search.toLowerCase();
  const rows = text === '' ? own : own.where(likeSearch(sql`lower(notify_rule.name)`, text));
  const page = await listPage(db, { rows, keys: [ORDER[query.sort], numberColumn('notify_rule.id')] }, query);
  return page && { ...page, rows: page.rows.map(toRule) };
}

async function findRule(db: StoreDb, id: number, memberGroup: number): Promise<StoredNotifyRule | undefined> {
  const rules = db.selectFrom('notify_rule').selectAll().where('id', '=', id).where('member_group', '=', memberGroup);
  const row = await rules.executeTakeFirst();
  return row === undefined ? undefined : toRule(row);
}

async function insertRule(
  work: StoreDb,
  { memberGroup, change }: { readonly memberGroup: number; readonly change: RuleChange },
  onLimit: OnLimit | undefined,
): Promise<Outcome<StoredNotifyRule, 'too-many'>> {
  const count = work.selectFrom('notify_rule').select(({ fn }) => fn.countAll<number>().as('count'));
  if ((await count.executeTakeFirstOrThrow()).count >= NOTIFY_RULES_LIMIT.max) {
    onLimit?.(NOTIFY_RULES_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const insert = work.insertInto('notify_rule').values({ member_group: memberGroup, ...toColumns(change) });
  return { ok: true, value: toRule(await insert.returningAll().executeTakeFirstOrThrow()) };
}

async function updateRule(work: StoreDb, named: NamedRule, change: RuleChange): ReturnType<NotifyRuleStore['update']> {
  const before = await findRule(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const row = await work
    .updateTable('notify_rule')
    .set({ ...toColumns(change), version: named.version + 1 })
    .where('id', '=', named.id)
    .where('version', '=', named.version)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? { ok: false, reason: 'conflict' } : { ok: true, value: { before, after: toRule(row) } };
}

async function removeRule(work: StoreDb, named: NamedRule): ReturnType<NotifyRuleStore['remove']> {
  const before = await findRule(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const rule = work.deleteFrom('notify_rule').where('id', '=', named.id).where('version', '=', named.version);
  const { numDeletedRows } = await rule.executeTakeFirst();
  return numDeletedRows > 0n ? { ok: true, value: before } : { ok: false, reason: 'conflict' };
}

function toColumns({ content, by, atMs }: RuleChange) {
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
