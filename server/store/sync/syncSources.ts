// Data for planning beside recordings: the devices with their groups, and the events of a device.
import { EVENT_STATUSES, SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import { readGroupOwners, readGroupParents } from '../devices/groupOwnership.ts';
import type { StoreDb } from '../engine/database.ts';

export interface SyncDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveId: string;
  readonly archiveNumber: number;
  readonly deviceGroup: number | undefined;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  /** Model that an administrator has entered; '' for none. */
  readonly model: string;
  readonly chn: number;
  readonly installchs: string;
  readonly disabled: boolean;
}

export interface SyncPlaces {
  /** Includes disabled devices. */
  readonly devices: readonly SyncDevice[];
  /** The parent of each group; undefined at the top. */
  readonly parents: ReadonlyMap<number, number | undefined>;
  /** Member groups by the device groups that they own. */
  readonly owners: ReadonlyMap<number, ReadonlySet<number>>;
}

/** An event around which recordings are fetched. */
export interface SyncEvent {
  readonly type: string;
  /** Channel, storage or tire, from 1; 0 for the device as a whole. */
  readonly unit: number;
  readonly beginAtMs: number;
  /** Whether `beginAtMs` is by the device's clock. */
  readonly isLate: boolean;
}

export interface SyncSourceStore {
  places(): Promise<SyncPlaces>;
  /** Events of a device that began in the span, the newest first. `types` empty: all. */
  events(query: SyncEventQuery): Promise<SyncEvent[]>;
  /** Events of existing devices with severity major or higher for which no item was made, ordered by begin. */
  withoutClip(query: MissedClipQuery): Promise<MissedClip[]>;
}

/** An event whose clip was not handled, perhaps because the gateway ended before. */
export interface MissedClip extends SyncEvent {
  readonly eventId: number;
  readonly incarnation: number;
}

export interface MissedClipQuery {
  /** The span in which the events began. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The last event of the previous page, which began at `fromMs`; 0 for the first page. */
  readonly afterId: number;
  readonly limit: number;
}

interface SyncEventQuery {
  readonly archiveNumber: number;
  readonly types: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
}

export function createSyncSourceStore(db: StoreDb, reading: StoreDb): SyncSourceStore {
  return {
    places: async () => {
      const [devices, parents, owners] = await Promise.all([
        listDevices(db),
        readGroupParents(db),
        readGroupOwners(db),
      ]);
      return { devices, parents, owners };
    },
    events: async ({ archiveNumber, types, fromMs, toMs, limit }) => {
      const all = reading
        .selectFrom('event')
        .select(['type', 'unit', 'begin_at_ms', 'late'])
        .where('archive_number', '=', archiveNumber)
        .where('begin_at_ms', '>=', fromMs)
        .where('begin_at_ms', '<', toMs);
      const chosen = types.length === 0 ? all : all.where('type', 'in', [...types]);
      const rows = await chosen.orderBy('begin_at_ms', 'desc').limit(limit).execute();
      return rows.map((row) => ({
        type: row.type,
        unit: row.unit,
        beginAtMs: row.begin_at_ms,
        isLate: row.late !== 0,
      }));
    },
    withoutClip: (query) => readWithoutClip(reading, query),
  };
}

const FALSE_ALARM = EVENT_STATUSES.indexOf('false-alarm');
const MAJOR = SEVERITIES.indexOf('major');

async function readWithoutClip(db: StoreDb, { fromMs, toMs, afterId, limit }: MissedClipQuery): Promise<MissedClip[]> {
  // The item of an event is newer than the event, so that not all items have to be searched.
  const asked = db
    .selectFrom('sync_item')
    .select('sync_item.event_id')
    .where('sync_item.changed_at_ms', '>=', fromMs)
    .where('sync_item.event_id', '>', 0);
  const rows = await db
    .selectFrom('event')
    .innerJoin('device', 'device.archive_number', 'event.archive_number')
    .select(['event.id', 'event.type', 'event.unit', 'event.begin_at_ms', 'event.late', 'device.incarnation'])
    .where('event.begin_at_ms', '>=', fromMs)
    .where('event.begin_at_ms', '<', toMs)
    .where(({ or, eb }) => or([eb('event.begin_at_ms', '>', fromMs), eb('event.id', '>', afterId)]))
    .where('event.severity', '<=', MAJOR)
    .where('event.status', '!=', FALSE_ALARM)
    .where('event.id', 'not in', asked)
    .orderBy('event.begin_at_ms')
    .orderBy('event.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    eventId: row.id,
    incarnation: row.incarnation,
    type: row.type,
    unit: row.unit,
    beginAtMs: row.begin_at_ms,
    isLate: row.late !== 0,
  }));
}

async function listDevices(db: StoreDb): Promise<SyncDevice[]> {
  const rows = await db
    .selectFrom('device')
    .select(['device_id', 'incarnation', 'archive_id', 'archive_number', 'device_group', 'time_zone', 'model'])
    .select(['chn', 'installchs', 'disabled'])
    .execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    incarnation: row.incarnation,
    archiveId: row.archive_id,
    archiveNumber: row.archive_number,
    deviceGroup: row.device_group ?? undefined,
    timeZone: row.time_zone,
    model: row.model,
    chn: row.chn,
    installchs: row.installchs,
    disabled: row.disabled !== 0,
  }));
}
