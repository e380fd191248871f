// Events whose evidence nobody has seen to: the gateway was killed after it had stored the event, or had too much to do.
import { EVENT_STATUSES, SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';
import type { EventRef } from './eventMediaRows.ts';

export interface MissedEvent extends EventRef {
  readonly device: { readonly deviceId: string; readonly incarnation: number; readonly archiveNumber: number };
  /** What the device's recordings lie under. */
  readonly archiveId: string;
  readonly type: string;
  readonly unit: number;
  readonly alarmMark: string;
}

interface FetchedEvent extends MissedEvent {
  /** It began by the device's clock. */
  readonly isLate: boolean;
}

/** Events of devices that are there, by begin, since then. */
export interface MissedEvidenceStore {
  /** Of severity major or higher, without a word of their clip. */
  clips(sinceMs: number, limit: number): Promise<MissedEvent[]>;
  /** Without a word of any snapshot. */
  snapshots(sinceMs: number, limit: number): Promise<MissedEvent[]>;
  /** With a mark of the terminal, for whose files nobody asked. */
  attachments(sinceMs: number, limit: number): Promise<MissedEvent[]>;
  /** Whose recordings came later. Undefined for one that is gone, or was a false alarm. */
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
      // An alarm that was not asked for because of a limit has been seen to, and its event says so.
      const unseen = unasked.where(({ not, exists, selectFrom }) => {
        const unnamed = selectFrom('event_media').select('event_media.id').where('event_media.kind', '=', 'attachment');
        const given = unnamed.where('event_media.name', '=', '').where('event_media.state', '=', 'failed');
        return not(exists(given.whereRef('event_media.event_id', '=', 'event.id')));
      });
      return read(unseen, limit);
    },
  };
}
