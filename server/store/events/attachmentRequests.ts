// The only module that knows `attachment_request`: alarm numbers that were given out for files of events.
import type { StoreDb } from '../engine/database.ts';
import type { EventRef } from './eventMediaRows.ts';

export interface AttachmentRequestRow extends EventRef {
  readonly alarmNumber: string;
  readonly archiveNumber: number;
  /** Hex. */
  readonly alarmMark: string;
  readonly attempts: number;
  readonly createdAtMs: number;
}

export interface AttachmentRequestStore {
  add(request: AttachmentRequestRow): Promise<void>;
  /** Requests that are not done, newest first. */
  open(sinceMs: number, limit: number): Promise<AttachmentRequestRow[]>;
  setSent(alarmNumber: string, attempts: number, sentAtMs: number): Promise<void>;
  setDone(alarmNumber: string): Promise<void>;
  /** Gives how many were removed. */
  removeBefore(createdBeforeMs: number, limit: number): Promise<number>;
}

export function createAttachmentRequestStore(db: StoreDb): AttachmentRequestStore {
  return {
    add: async (request) => {
      const { alarmNumber, archiveNumber, eventId, eventBeginAtMs, alarmMark, attempts, createdAtMs } = request;
      const what = { alarm_number: alarmNumber, archive_number: archiveNumber, alarm_mark: alarmMark, attempts };
      const event = { event_id: eventId, event_begin_at_ms: eventBeginAtMs };
      const state = { state: 'open', created_at_ms: createdAtMs, sent_at_ms: 0 };
      await db
        .insertInto('attachment_request')
        .values({ ...what, ...event, ...state })
        .execute();
    },
    open: async (sinceMs, limit) => {
      const open = db.selectFrom('attachment_request').selectAll().where('state', '=', 'open');
      const recent = open.where('created_at_ms', '>=', sinceMs).orderBy('created_at_ms', 'desc').limit(limit);
      return (await recent.execute()).map((row) => ({
        alarmNumber: row.alarm_number,
        archiveNumber: row.archive_number,
        eventId: row.event_id,
        eventBeginAtMs: row.event_begin_at_ms,
        alarmMark: row.alarm_mark,
        attempts: row.attempts,
        createdAtMs: row.created_at_ms,
      }));
    },
    setSent: async (alarmNumber, attempts, sentAtMs) => {
      const update = db.updateTable('attachment_request').set({ attempts, sent_at_ms: sentAtMs });
      await update.where('alarm_number', '=', alarmNumber).execute();
    },
    setDone: async (alarmNumber) => {
      const update = db.updateTable('attachment_request').set({ state: 'done' });
      await update.where('alarm_number', '=', alarmNumber).execute();
    },
    removeBefore: async (createdBeforeMs, limit) => {
      const old = db
        .selectFrom('attachment_request')
        .select('alarm_number')
        .where('created_at_ms', '<', createdBeforeMs);
      const numbers = (await old.orderBy('created_at_ms').limit(limit).execute()).map((row) => row.alarm_number);
      if (numbers.length === 0) return 0;
      await db.deleteFrom('attachment_request').where('alarm_number', 'in', numbers).execute();
      return numbers.length;
    },
  };
}
