// The only module that knows `event_reason`: the reasons for closing an event.
import type { Selectable } from 'kysely';
import { type EventReason, type EventReasonContent, REASONS_MAX } from '../../../shared/protocol/api/eventTypes.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type AuditNote, insertAudit } from '../audit/audit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Outcome } from '../outcome.ts';
import type { EventReasonTable } from './tables.ts';

export interface NewEventReason extends EventReasonContent {
  readonly code: string;
  readonly isBuiltIn: boolean;
}

interface EventReasonVersion {
  readonly id: number;
  readonly version: number;
}

/** `last`: without any enabled reason, no event could be closed. */
export type ReasonRefusal = 'gone' | 'conflict' | 'last';

/** `note`: the audit entry of what was done, of the same transaction. Left out, nobody is on record for it. */
export interface EventReasonStore {
  /** All of them, the built-in ones first. */
  all(): Promise<EventReason[]>;
  find(id: number): Promise<EventReason | undefined>;
  /** Adds missing reasons; existing ones don't change. */
  addMissing(reasons: readonly NewEventReason[]): Promise<void>;
  /** Adds an administrator's own reason. */
  add(reason: NewEventReason, note?: AuditNote): Promise<Outcome<EventReason, 'too-many'>>;
  /** Gives the reason as it was before. */
  update(
    of: EventReasonVersion,
    content: EventReasonContent,
    note?: (before: EventReason) => AuditNote,
  ): Promise<Outcome<EventReason, ReasonRefusal>>;
  /** Gives the reason that was removed. A reason that an event was closed with stays, so that history can name it. */
  remove(
    of: EventReasonVersion,
    note?: (before: EventReason) => AuditNote,
  ): Promise<Outcome<EventReason, ReasonRefusal | 'used'>>;
}

/** Closing reasons that administrators have added, beside the built-in ones. A further one is refused with 409 `too-many-reasons`. */
export const REASONS_LIMIT: Limit = { name: 'events.reasons.all', max: REASONS_MAX };

export function createEventReasonStore(db: StoreDb, onLimit?: OnLimit): EventReasonStore {
  return {
    all: async () => {
      const all = db.selectFrom('event_reason').selectAll();
      return (await all.orderBy('is_built_in', 'desc').orderBy('id').execute()).map(toReason);
    },
    find: async (id) => {
      const row = await db.selectFrom('event_reason').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toReason(row);
    },
    addMissing: async (reasons) => {
      if (reasons.length === 0) return;
      const insert = db.insertInto('event_reason').values(reasons.map(toNewRow));
      await insert.onConflict((conflict) => conflict.column('code').doNothing()).execute();
    },
    add: (reason, note) => db.transaction().execute((work) => addReason(work, reason, { note, onLimit })),
    update: (of, content, note) =>
      changed(db, of, async (work, known) => {
        if (!content.enabled && !(await isOtherEnabled(work, of.id))) return { ok: false, reason: 'last' };
        const columns = { ...toRow(content), version: of.version + 1 };
        await work.updateTable('event_reason').set(columns).where('id', '=', of.id).execute();
        if (note !== undefined) await insertAudit(work, note(known));
        return { ok: true, value: known };
      }),
    remove: (of, note) =>
      changed<'used'>(db, of, async (work, known) => {
        if (!(await isOtherEnabled(work, of.id))) return { ok: false, reason: 'last' };
        if (await isUsed(work, known.code)) return { ok: false, reason: 'used' };
        await work.deleteFrom('event_reason').where('id', '=', of.id).execute();
        if (note !== undefined) await insertAudit(work, note(known));
        return { ok: true, value: known };
      }),
  };
}

interface Adding {
  readonly note: AuditNote | undefined;
  readonly onLimit: OnLimit | undefined;
}

async function addReason(
  work: StoreDb,
  reason: NewEventReason,
  { note, onLimit }: Adding,
): ReturnType<EventReasonStore['add']> {
  const count = work.selectFrom('event_reason').select((eb) => eb.fn.countAll().as('count'));
  const { count: own } = await count.where('is_built_in', '=', 0).executeTakeFirstOrThrow();
  if (Number(own) >= REASONS_LIMIT.max) {
    onLimit?.(REASONS_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const insert = work.insertInto('event_reason').values(toNewRow(reason)).returningAll();
  const added = await insert.executeTakeFirstOrThrow();
  if (note !== undefined) await insertAudit(work, note);
  return { ok: true, value: toReason(added) };
}

/** Runs a change of the reason in the version that was read, unless another change came first. */
function changed<Refusal = never>(
  db: StoreDb,
  { id, version }: EventReasonVersion,
  change: (work: StoreDb, known: EventReason) => Promise<Outcome<EventReason, ReasonRefusal | Refusal>>,
): Promise<Outcome<EventReason, ReasonRefusal | Refusal>> {
  return db.transaction().execute(async (work) => {
    // All rows are locked, since two changes at once could each leave the other's reason as the last one.
    const rows = await work
      .updateTable('event_reason')
      .set(({ ref }) => ({ id: ref('id') }))
      .returningAll()
      .execute();
    const row = rows.find((each) => each.id === id);
    if (row === undefined) return { ok: false, reason: 'gone' };
    return row.version === version ? change(work, toReason(row)) : { ok: false, reason: 'conflict' };
  });
}

async function isOtherEnabled(work: StoreDb, id: number): Promise<boolean> {
  const other = work.selectFrom('event_reason').select('id').where('enabled', '=', 1).where('id', '!=', id);
  return (await other.limit(1).executeTakeFirst()) !== undefined;
}

async function isUsed(work: StoreDb, code: string): Promise<boolean> {
  const step = work.selectFrom('event_step').select('id').where('reason', '=', code);
  // The index has this condition: it contains no other steps.
  return (await step.where('reason', '<>', '').limit(1).executeTakeFirst()) !== undefined;
}

function toNewRow(reason: NewEventReason) {
  return { ...toRow(reason), code: reason.code, is_built_in: reason.isBuiltIn ? 1 : 0 };
}

function toRow({ nameEn, nameZh, nameJp, isFalseAlarm, enabled }: EventReasonContent) {
  return {
    name_en: nameEn,
    name_zh: nameZh,
    name_jp: nameJp,
    is_false_alarm: isFalseAlarm ? 1 : 0,
    enabled: enabled ? 1 : 0,
  };
}

function toReason(row: Selectable<EventReasonTable>): EventReason {
  return {
    id: row.id,
    version: row.version,
    code: row.code,
    isBuiltIn: row.is_built_in === 1,
    nameEn: row.name_en,
    nameZh: row.name_zh,
    nameJp: row.name_jp,
    isFalseAlarm: row.is_false_alarm === 1,
    enabled: row.enabled === 1,
  };
}
