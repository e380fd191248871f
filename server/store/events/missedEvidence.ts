// Events whose evidence was never requested: the gateway was killed after it had stored the event, or was overloaded.
import { EVENT_STATUSES, SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';
import type { EventRef } from './eventMediaRows.ts';

export interface MissedEvent extends EventRef {
  readonly device: { readonly deviceId: string; readonly incarnation: number; readonly archiveNumber: number };
  /** The archive of the device's recordings. */
  readonly archiveId: string;
  readonly type: string;
  readonly unit: number;
  readonly alarmMark: string;
}

interface FetchedEvent extends MissedEvent {
  /** Whether its begin is by the device's clock. */
  readonly isLate: boolean;
}

/** Events of existing devices since then, ordered by begin. */
export interface MissedEvidenceStore {
  /** Events of severity major or higher without any clip, not even a requested one. */
  clips(sinceMs: number, limit: number): Promise<MissedEvent[]>;
  /** Events without any snapshot, not even a requested one. */
  snapshots(sinceMs: number, limit: number): Promise<MissedEvent[]>;
  /** Events with an alarm mark of the terminal whose files were not requested. */
  attachments(sinceMs: number, limit: number): Promise<MissedEvent[]>;
  /** An event whose recordings came later. Undefined when it is gone, or was a false alarm. */
  fetched(eventId: number): Promise<FetchedEvent | undefined>;
}

const FALSE_ALARM = EVENT_STATUSES.indexOf('false-alarm');
const [MAJOR, INFO] = [SEVERITIES.indexOf('major'), SEVERITIES.indexOf('info')];

export function createMissedEvidenceStore(db: StoreDb): MissedEvidenceStore {
  const since = (sinceMs: number) =>
    db
      .selectFrom('event')
      .innerJoin('device', 'device.archive_number', 'event.archive_number')
      .where('event.begin_at_ms', '>=', sinceMs);
  const withoutMedia = (sinceMs: number, kind: string) =>
    since(sinceMs)
      .where('event.late', '=', 0)
      .where(({ not, exists, selectFrom }) => {
        const ofEvent = selectFrom('event_media').select('event_media.id').where('event_media.kind', '=', kind);
        return not(exists(ofEvent.whereRef('event_media.event_id', '=', 'event.id')));
      });
  const read = async (query: ReturnType<typeof since>, limit: number): Promise<MissedEvent[]> => {
    const columns = ['event.id', 'event.begin_at_ms', 'event.type', 'event.unit', 'event.alarm_mark'] as const;
    const ofDevice = ['device.device_id', 'device.incarnation', 'device.archive_number', 'device.archive_id'] as const;
    const ordered = query
      .select([...columns, ...ofDevice])
      .orderBy('event.begin_at_ms')
      .orderBy('event.id');
    return (await ordered.limit(limit).execute()).map((row) => ({
      eventId: row.id,
      eventBeginAtMs: row.begin_at_ms,
      device: { deviceId: row.device_id, incarnation: row.incarnation, archiveNumber: row.archive_number },
      archiveId: row.archive_id,
      type: row.type,
      unit: row.unit,
      alarmMark: row.alarm_mark,
    }));
  };
  return {
    fetched: async (eventId) => {
      const wanted = since(0).where('event.id', '=', eventId).where('event.status', '!=', FALSE_ALARM);
      const [event] = await read(wanted, 1);
      if (event === undefined) return undefined;
      const { late } = await wanted.select('event.late').executeTakeFirstOrThrow();
      return { ...event, isLate: late !== 0 };
    },
    clips: (sinceMs, limit) => read(withoutMedia(sinceMs, 'clip').where('event.severity', '<=', MAJOR), limit),
    snapshots: (sinceMs, limit) => read(withoutMedia(sinceMs, 'snapshot'), limit),
    attachments: (sinceMs, limit) => {
      const marked = since(sinceMs).where('event.alarm_mark', '!=', '').where('event.severity', '<', INFO);
      const unasked = marked.where(({ not, exists, selectFrom }) => {
        const asked = selectFrom('attachment_request').select('attachment_request.alarm_number');
        const ofEvent = asked.whereRef('attachment_request.event_id', '=', 'event.id');
        return not(exists(ofEvent.whereRef('attachment_request.alarm_mark', '=', 'event.alarm_mark')));
      });
      // An alarm whose files were not requested because of a limit has been handled, and its event says so.
      const unseen = unasked.where(({ not, exists, selectFrom }) => {
        const unnamed = selectFrom('event_media').select('event_media.id').where('event_media.kind', '=', 'attachment');
        const given = unnamed.where('event_media.name', '=', '').where('event_media.state', '=', 'failed');
        return not(exists(given.whereRef('event_media.event_id', '=', 'event.id')));
      });
      return read(unseen, limit);
    },
  };
}
