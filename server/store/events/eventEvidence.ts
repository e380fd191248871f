// Events with what is kept of them, for members who see their device.
import type { Selectable } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { type StoredEventMedia, toMedia } from './eventMediaRows.ts';
import { isDeviceSeen } from './list/eventChecks.ts';
import type { EventStepTable, EventTable } from './tables.ts';

interface EvidenceDevice {
  readonly deviceId: string;
  readonly archiveId: string;
  readonly name: string;
  readonly plate: string;
}

export interface EventEvidence {
  readonly event: Selectable<EventTable>;
  readonly device: EvidenceDevice;
  /** User name; '' for nobody. */
  readonly assignee: string;
  readonly media: readonly StoredEventMedia[];
  readonly steps: readonly Selectable<EventStepTable>[];
}

export interface EventEvidenceStore {
  /** Undefined for an event of a device that the member group does not see, as for none. */
  find(eventId: number, memberGroup: number): Promise<EventEvidence | undefined>;
  /** The same for one picture or file. */
  findMedia(mediaId: number, memberGroup: number): Promise<StoredEventMedia | undefined>;
}

export function createEventEvidenceStore(reading: StoreDb): EventEvidenceStore {
  return {
    find: async (eventId, memberGroup) => {
      const event = await reading.selectFrom('event').selectAll().where('id', '=', eventId).executeTakeFirst();
      const device = event && (await deviceOf(reading, event.archive_number, memberGroup));
      if (event === undefined || device === undefined) return undefined;
      const media = reading.selectFrom('event_media').selectAll().where('event_id', '=', eventId).orderBy('id');
      const steps = reading.selectFrom('event_step').selectAll().where('event_id', '=', eventId).orderBy('id');
      const user = reading
        .selectFrom('app_user')
        .select('username')
        .where('id', '=', event.assignee ?? 0);
      const rows = await Promise.all([media.execute(), steps.execute(), user.executeTakeFirst()]);
      return { event, device, assignee: rows[2]?.username ?? '', media: rows[0].map(toMedia), steps: rows[1] };
    },
    findMedia: async (mediaId, memberGroup) => {
      const media = reading.selectFrom('event_media').selectAll().where('id', '=', mediaId).where('event_id', '>', 0);
      const row = await media.executeTakeFirst();
      const device = row && (await deviceOf(reading, row.archive_number, memberGroup));
      return row === undefined || device === undefined ? undefined : toMedia(row);
    },
  };
}

async function deviceOf(db: StoreDb, archiveNumber: number, memberGroup: number): Promise<EvidenceDevice | undefined> {
  const row = await db
    .selectFrom('device')
    .select(['device_id', 'archive_id', 'name', 'plate'])
    .where('archive_number', '=', archiveNumber)
    .where(isDeviceSeen({ memberGroup }))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { deviceId: row.device_id, archiveId: row.archive_id, name: row.name, plate: row.plate };
}
