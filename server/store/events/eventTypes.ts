// The only module that knows `event_type`.
import type { Selectable } from 'kysely';
import {
  EVENT_CATEGORIES,
  type EventCategory,
  SEVERITIES,
  type Severity,
} from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';
import type { EventTypeTable } from './tables.ts';

export interface EventTypeFields {
  /** '' follows the language, for a built-in type. */
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
}

export interface NewEventType extends EventTypeFields {
  readonly code: string;
  readonly isBuiltIn: boolean;
  /** JSON of what raises a type that an administrator made; '' for a built-in one. */
  readonly source: string;
}

export interface StoredEventType extends NewEventType {
  readonly version: number;
}

export interface EventTypeStore {
  /** All of them, by code. */
  all(): Promise<StoredEventType[]>;
  /** Adds those that are not there yet; one that is there stays as it is. */
  addMissing(types: readonly NewEventType[]): Promise<void>;
}

export function createEventTypeStore(db: StoreDb): EventTypeStore {
  return {
    all: async () => (await db.selectFrom('event_type').selectAll().orderBy('code').execute()).map(toType),
    addMissing: async (types) => {
      if (types.length === 0) return;
      const insert = db.insertInto('event_type').values(types.map(toRow));
      await insert.onConflict((conflict) => conflict.column('code').doNothing()).execute();
    },
  };
}

function toRow(type: NewEventType) {
  return {
    code: type.code,
    is_built_in: type.isBuiltIn ? 1 : 0,
    source: type.source,
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
    source: row.source,
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
