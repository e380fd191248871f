// Stored tracks of devices for pages. Other modules write these tables; they are only read here.
import { type Selectable, sql } from 'kysely';
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { StoreDb } from '../engine/database.ts';
import type { StopTable, TrackGapTable, TripTable } from './tables.ts';

/** A device that a member sees in a member group. */
export interface TrackDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly plate: string;
  readonly incarnation: number;
  /** The archive of its recordings. */
  readonly archiveId: string;
}

interface TrackViewer {
  readonly userId: number;
  readonly memberGroup: number;
}

/** By the gateway's clock, half open. */
interface TrackSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TrackSummaryStore {
  /** Undefined for a device that the viewer doesn't see, or that is disabled. */
  deviceOf(deviceId: string, viewer: TrackViewer): Promise<TrackDevice | undefined>;
  clockOf(incarnation: number): Promise<ClockStep[]>;
  /** Trips with a moment in the span, the earliest first; the same applies to stops and gaps. */
  trips(incarnation: number, span: TrackSpan, limit: number): Promise<Selectable<TripTable>[]>;
  stops(incarnation: number, span: TrackSpan, limit: number): Promise<Selectable<StopTable>[]>;
  gaps(incarnation: number, span: TrackSpan, limit: number): Promise<Selectable<TrackGapTable>[]>;
}

/** `reading`: for slow queries. */
export function createTrackSummaryStore(db: StoreDb, reading: StoreDb): TrackSummaryStore {
  const overlapping = <Table extends 'trip' | 'stop' | 'track_gap'>(table: Table, { fromMs, toMs }: TrackSpan) =>
    sql<boolean>`${sql.ref(`${table}.from_ms`)} < cast(${toMs} as bigint)
      and ${sql.ref(`${table}.to_ms`)} >= cast(${fromMs} as bigint)`;
  return {
    deviceOf: (deviceId, viewer) => deviceOf(db, deviceId, viewer),
    clockOf: async (incarnation) => {
      const steps = db.selectFrom('device_clock').selectAll().where('incarnation', '=', incarnation);
      const rows = await steps.orderBy('device_from_ms').execute();
      return rows.map(({ device_from_ms, offset_ms }) => ({ deviceFromMs: device_from_ms, offsetMs: offset_ms }));
    },
    trips: (incarnation, span, limit) => {
      const ofDevice = reading.selectFrom('trip').selectAll().where('incarnation', '=', incarnation);
      return ofDevice.where(overlapping('trip', span)).orderBy('from_ms').orderBy('id').limit(limit).execute();
    },
    stops: (incarnation, span, limit) => {
      const ofDevice = reading.selectFrom('stop').selectAll().where('incarnation', '=', incarnation);
      return ofDevice.where(overlapping('stop', span)).orderBy('from_ms').orderBy('id').limit(limit).execute();
    },
    gaps: (incarnation, span, limit) => {
      const ofDevice = reading.selectFrom('track_gap').selectAll().where('incarnation', '=', incarnation);
      return ofDevice.where(overlapping('track_gap', span)).orderBy('from_ms').limit(limit).execute();
    },
  };
}

async function deviceOf(
  db: StoreDb,
  deviceId: string,
  { userId, memberGroup }: TrackViewer,
): Promise<TrackDevice | undefined> {
  const row = await db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .innerJoin('app_user_member_group as belongs', 'belongs.member_group', 'owns.member_group')
    .select(['device.device_id', 'device.name', 'device.plate', 'device.incarnation', 'device.archive_id'])
    .where('device.device_id', '=', deviceId)
    .where('device.disabled', '=', 0)
    .where('belongs.user_id', '=', userId)
    .where('owns.member_group', '=', memberGroup)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { device_id, name, plate, incarnation, archive_id } = row;
  return { deviceId: device_id, name, plate, incarnation, archiveId: archive_id };
}
