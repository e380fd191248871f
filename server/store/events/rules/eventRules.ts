// The only module that knows `event_rule`.
import type { Selectable } from 'kysely';
import type { EventRuleSettings } from '../../../../shared/protocol/events/eventRules.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import { type AuditNote, insertAudit } from '../../audit/audit.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { Outcome } from '../../outcome.ts';
import type { EventRuleTable } from '../tables.ts';

export type EventRuleScope =
  | { readonly kind: 'installation' }
  | { readonly kind: 'group'; readonly deviceGroup: number }
  | { readonly kind: 'device'; readonly deviceId: string };

export interface StoredEventRule {
  readonly id: number;
  /** Code of the event type. */
  readonly type: string;
  readonly scope: EventRuleScope;
  readonly settings: EventRuleSettings;
  readonly version: number;
}

export interface EventRuleChange {
  readonly type: string;
  readonly scope: EventRuleScope;
  /** Empty: everything is inherited, and the rule is removed. */
  readonly settings: EventRuleSettings;
  /** The version that the caller has seen; 0: there was none. */
  readonly version: number;
}

/** A rule before and after a change; undefined for none. */
export interface ChangedEventRule {
  readonly before?: StoredEventRule;
  readonly after?: StoredEventRule;
}

export interface EventRuleStore {
  /** All of them, by id. */
  all(): Promise<StoredEventRule[]>;
  /**
   * `gone`: the type, group or device doesn't exist any more. `note`: the audit entry of the change, of the same transaction; undefined for
   * none.
   */
  put(
    change: EventRuleChange,
    note?: (changed: ChangedEventRule) => AuditNote | undefined,
  ): Promise<Outcome<ChangedEventRule, 'conflict' | 'gone' | 'too-many'>>;
}

/**
 * Event types that are configured for the installation, a device group or a device: room for some two hundred types of the installation and
 * a few groups, and single types of a thousand devices. A further one is refused with 409 `too-many-rules`.
 */
export const EVENT_RULES_LIMIT: Limit = { name: 'events.rules.all', max: 20_000 };

export function createEventRuleStore(db: StoreDb, onLimit?: OnLimit): EventRuleStore {
  return {
    all: async () => (await db.selectFrom('event_rule').selectAll().orderBy('id').execute()).map(toRule),
    put: (change, note) =>
      db.transaction().execute(async (work) => {
        const done = await putRule(work, change, onLimit);
        const noted = done.ok ? note?.(done.value) : undefined;
        if (noted !== undefined) await insertAudit(work, noted);
        return done;
      }),
  };
}

async function putRule(
  work: StoreDb,
  change: EventRuleChange,
  onLimit: OnLimit | undefined,
): ReturnType<EventRuleStore['put']> {
  const { type, scope, settings, version } = change;
  if (!(await isThere(work, change))) return { ok: false, reason: 'gone' };
  const known = await ruleOf(work, change);
  if ((known?.version ?? 0) !== version) return { ok: false, reason: 'conflict' };
  if (Object.keys(settings).length === 0) {
    if (known === undefined) return { ok: true, value: {} };
    await work.deleteFrom('event_rule').where('id', '=', known.id).execute();
    return { ok: true, value: { before: known } };
  }
  const columns = { settings: JSON.stringify(settings), version: version + 1 };
  if (known !== undefined) {
    await work.updateTable('event_rule').set(columns).where('id', '=', known.id).execute();
    return { ok: true, value: { before: known, after: { ...known, settings, version: version + 1 } } };
  }
  const count = work.selectFrom('event_rule').select(({ fn }) => fn.countAll<number>().as('count'));
  if ((await count.executeTakeFirstOrThrow()).count >= EVENT_RULES_LIMIT.max) {
    onLimit?.(EVENT_RULES_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const insert = work.insertInto('event_rule').values({ type, ...toScopeColumns(scope), ...columns });
  return { ok: true, value: { after: toRule(await insert.returningAll().executeTakeFirstOrThrow()) } };
}

/** Locks the type's row, so that the second of two concurrent changes reads the result of the first. */
async function isThere(work: StoreDb, { type, scope }: EventRuleChange): Promise<boolean> {
  const lock = work.updateTable('event_type').set({ code: type }).where('code', '=', type).returning('code');
  if ((await lock.executeTakeFirst()) === undefined) return false;
  switch (scope.kind) {
    case 'installation':
      return true;
    case 'group': {
      const group = work.selectFrom('device_group').select('serialno').where('serialno', '=', scope.deviceGroup);
      return (await group.executeTakeFirst()) !== undefined;
    }
    case 'device': {
      const device = work.selectFrom('device').select('device_id').where('device_id', '=', scope.deviceId);
      return (await device.executeTakeFirst()) !== undefined;
    }
  }
}

async function ruleOf(work: StoreDb, { type, scope }: EventRuleChange): Promise<StoredEventRule | undefined> {
  const { device_group: group, device_id: deviceId } = toScopeColumns(scope);
  const rules = work
    .selectFrom('event_rule')
    .selectAll()
    .where('type', '=', type)
    .where('device_group', group === null ? 'is' : '=', group)
    .where('device_id', deviceId === null ? 'is' : '=', deviceId);
  const row = await rules.executeTakeFirst();
  return row === undefined ? undefined : toRule(row);
}

function toScopeColumns(scope: EventRuleScope): Pick<Selectable<EventRuleTable>, 'device_group' | 'device_id'> {
  switch (scope.kind) {
    case 'installation':
      return { device_group: null, device_id: null };
    case 'group':
      return { device_group: scope.deviceGroup, device_id: null };
    case 'device':
      return { device_group: null, device_id: scope.deviceId };
  }
}

function toRule(row: Selectable<EventRuleTable>): StoredEventRule {
  const { id, type, version } = row;
  return { id, type, version, scope: scopeOf(row), settings: JSON.parse(row.settings) as EventRuleSettings };
}

function scopeOf(row: Selectable<EventRuleTable>): EventRuleScope {
  if (row.device_id !== null) return { kind: 'device', deviceId: row.device_id };
  return row.device_group === null ? { kind: 'installation' } : { kind: 'group', deviceGroup: row.device_group };
}
