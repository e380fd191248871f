// The only module that knows `event_type`.
import type { Selectable } from 'kysely';
import { CUSTOM_TYPES_MAX } from '../../../shared/protocol/api/eventTypes.ts';
import type { CustomSource } from '../../../shared/protocol/events/customSource.ts';
import {
  EVENT_CATEGORIES,
  type EventCategory,
  SEVERITIES,
  type Severity,
} from '../../../shared/protocol/events/eventWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type AuditNote, insertAudit } from '../audit/audit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Outcome } from '../outcome.ts';
import type { EventTypeTable } from './tables.ts';

export interface EventTypeFields {
  /** '' where none is given: then the English name stands for it or, of a built-in type, the translation. */
  readonly nameEn: string;
  readonly nameZh: string;
  readonly nameJp: string;
  readonly category: EventCategory;
  readonly severity: Severity;
  /** `#rrggbb`; '' follows the severity. */
  readonly color: string;
  readonly icon: string;
  readonly sound: string;
  readonly needsAcknowledgment: boolean;
  readonly clipBeforeS: number;
  readonly clipAfterS: number;
  readonly snapshotChannels: readonly number[];
  readonly enabled: boolean;
  /** What raises a type that an administrator made; null for a built-in one. */
  readonly source: CustomSource | null;
}

export interface NewEventType extends EventTypeFields {
  readonly code: string;
  readonly isBuiltIn: boolean;
}

export interface StoredEventType extends NewEventType {
  readonly version: number;
}

export interface EventTypeVersion {
  readonly code: string;
  readonly version: number;
}

/** `note`: the audit entry of what was done, of the same transaction. Left out, nobody is on record for it. */
export interface EventTypeStore {
  /** All of them, by code. */
  all(): Promise<StoredEventType[]>;
  find(code: string): Promise<StoredEventType | undefined>;
  /** Adds those that are not there yet; one that is there stays as it is. */
  addMissing(types: readonly NewEventType[]): Promise<void>;
  /** One of an administrator's own. */
  add(type: NewEventType, note?: AuditNote): Promise<Outcome<StoredEventType, 'too-many'>>;
  /** Gives the type as it was before. */
  update(
    of: EventTypeVersion,
    fields: EventTypeFields,
    note?: (before: StoredEventType) => AuditNote,
  ): Promise<Outcome<StoredEventType, 'gone' | 'conflict'>>;
  /** Gives the type that was removed. One that events were ever raised of stays, so that reports and history can name them. */
  remove(
    of: EventTypeVersion,
    note?: (before: StoredEventType) => AuditNote,
  ): Promise<Outcome<StoredEventType, 'gone' | 'conflict' | 'used'>>;
}

/** Event types that administrators have added, beside the built-in ones. A further one is refused with 409 `too-many-event-types`. */
export const CUSTOM_TYPES_LIMIT: Limit = { name: 'events.types.all', max: CUSTOM_TYPES_MAX };

export function createEventTypeStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): EventTypeStore {
  return {
    all: async () => (await db.selectFrom('event_type').selectAll().orderBy('code').execute()).map(toType),
    find: (code) => findType(db, code),
    addMissing: async (types) => {
      if (types.length === 0) return;
      const insert = db.insertInto('event_type').values(types.map(toNewRow));
      await insert.onConflict((conflict) => conflict.column('code').doNothing()).execute();
    },
    add: (type, note) => db.transaction().execute((work) => addType(work, type, { note, onLimit })),
    update: (of, fields, note) =>
      changed(db, of, async (work, known) => {
        const columns = { ...toRow(fields), version: of.version + 1 };
        await work.updateTable('event_type').set(columns).where('code', '=', of.code).execute();
        if (note !== undefined) await insertAudit(work, note(known));
        return { ok: true, value: known };
      }),
    remove: async (of, note) => {
      // The days are many and have no index by type: they are looked through where that holds up nobody.
      const day = reading.selectFrom('event_day').select('type').where('type', '=', of.code).limit(1);
      const hasDays = (await day.executeTakeFirst()) !== undefined;
      return changed<'used'>(db, of, async (work, known) => {
        const event = work.selectFrom('event').select('id').where('type', '=', of.code).limit(1);
        if (hasDays || (await event.executeTakeFirst()) !== undefined) return { ok: false, reason: 'used' };
        await work.deleteFrom('event_type').where('code', '=', of.code).execute();
        if (note !== undefined) await insertAudit(work, note(known));
        return { ok: true, value: known };
      });
    },
  };
}

interface Adding {
  readonly note: AuditNote | undefined;
  readonly onLimit: OnLimit | undefined;
}

async function addType(
  work: StoreDb,
  type: NewEventType,
  { note, onLimit }: Adding,
): ReturnType<EventTypeStore['add']> {
  const count = work.selectFrom('event_type').select((eb) => eb.fn.countAll().as('count'));
  const { count: custom } = await count.where('is_built_in', '=', 0).executeTakeFirstOrThrow();
  if (Number(custom) >= CUSTOM_TYPES_LIMIT.max) {
    onLimit?.(CUSTOM_TYPES_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const added = await work.insertInto('event_type').values(toNewRow(type)).returningAll().executeTakeFirstOrThrow();
  if (note !== undefined) await insertAudit(work, note);
  return { ok: true, value: toType(added) };
}

async function findType(db: StoreDb, code: string): Promise<StoredEventType | undefined> {
  const row = await db.selectFrom('event_type').selectAll().where('code', '=', code).executeTakeFirst();
  return row === undefined ? undefined : toType(row);
}

/** Runs a change of the type as it was read, unless another has been first. */
function changed<Refusal = never>(
  db: StoreDb,
  { code, version }: EventTypeVersion,
  change: (work: StoreDb, known: StoredEventType) => Promise<Outcome<StoredEventType, Refusal>>,
): Promise<Outcome<StoredEventType, 'gone' | 'conflict' | Refusal>> {
  return db.transaction().execute(async (work) => {
    // Takes the row, so that of two changes at once the other reads what the first has left.
    const lock = work.updateTable('event_type').set({ code }).where('code', '=', code).returningAll();
    const row = await lock.executeTakeFirst();
    if (row === undefined) return { ok: false, reason: 'gone' };
    return row.version === version ? change(work, toType(row)) : { ok: false, reason: 'conflict' };
  });
}

function toNewRow(type: NewEventType) {
  return { ...toRow(type), code: type.code, is_built_in: type.isBuiltIn ? 1 : 0 };
}

function toRow(type: EventTypeFields) {
  return {
    source: type.source === null ? '' : JSON.stringify(type.source),
    name_en: type.nameEn,
    name_zh: type.nameZh,
    name_jp: type.nameJp,
    category: type.category,
    severity: SEVERITIES.indexOf(type.severity),
    color: type.color,
    icon: type.icon,
    sound: type.sound,
    needs_acknowledgment: type.needsAcknowledgment ? 1 : 0,
    clip_before_s: type.clipBeforeS,
    clip_after_s: type.clipAfterS,
    snapshot_channels: JSON.stringify(type.snapshotChannels),
    enabled: type.enabled ? 1 : 0,
  };
}

function toType(row: Selectable<EventTypeTable>): StoredEventType {
  return {
    code: row.code,
    isBuiltIn: row.is_built_in === 1,
    source: row.source === '' ? null : (JSON.parse(row.source) as CustomSource),
    nameEn: row.name_en,
    nameZh: row.name_zh,
    nameJp: row.name_jp,
    category: EVENT_CATEGORIES.find((category) => category === row.category) ?? 'device',
    severity: SEVERITIES[row.severity] ?? 'info',
    color: row.color,
    icon: row.icon,
    sound: row.sound,
    needsAcknowledgment: row.needs_acknowledgment === 1,
    clipBeforeS: row.clip_before_s,
    clipAfterS: row.clip_after_s,
    snapshotChannels: JSON.parse(row.snapshot_channels) as readonly number[],
    enabled: row.enabled === 1,
    version: row.version,
  };
}
