// What messages say of when a rule told of events, and how many wait.
import { sql } from 'kysely';
import { MESSAGE_STATES } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoreDb } from '../engine/database.ts';

export interface ToldTime {
  readonly rule: number;
  /** 0: the gateway itself. */
  readonly archiveNumber: number;
  readonly type: string;
  readonly atMs: number;
}

interface ToldBefore {
  readonly memberGroup: number;
  readonly archiveNumber: number;
  readonly deviceId: string;
  readonly type: string;
  /** Half open. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Its own messages don't count. */
  readonly exceptEvent: number;
}

export interface NotifyToldStore {
  /** The latest of each rule, device and type since then; the newest of them, at most so many. */
  since(sinceMs: number, limit: number): Promise<ToldTime[]>;
  /** When each rule last told of an event of the device and type. */
  lastBefore(wanted: ToldBefore): Promise<ReadonlyMap<number, number>>;
  /** How many messages of each member group wait; groups without any are left out. */
  waitingByGroup(): Promise<ReadonlyMap<number, number>>;
}

export function createNotifyToldStore(reading: StoreDb): NotifyToldStore {
  // The first message of an event: its repeats come later, and are none of another event.
  const toldAt = sql<number>`min(created_at_ms)`.as('told_at_ms');
  const lastAt = sql<number>`max(told.told_at_ms)`;
  return {
    since: async (sinceMs, limit) => {
      const told = reading
        .selectFrom('notify_message')
        .select(['rule', 'archive_number', 'type', toldAt])
        .where('created_at_ms', '>=', sinceMs)
        .where('event_begin_at_ms', '>=', sinceMs)
        .groupBy(['rule', 'archive_number', 'type', 'event_id']);
      const rows = await reading
        .selectFrom(told.as('told'))
        .select(['rule', 'archive_number', 'type', lastAt.as('at_ms')])
        .groupBy(['rule', 'archive_number', 'type'])
        .orderBy('at_ms', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        rule: row.rule,
        archiveNumber: row.archive_number,
        type: row.type,
        atMs: row.at_ms,
      }));
    },
    lastBefore: async (wanted) => {
      const told = reading
        .selectFrom('notify_message')
        .select(['rule', toldAt])
        .where('member_group', '=', wanted.memberGroup)
        .where('device_id', '=', wanted.deviceId)
        .where('archive_number', '=', wanted.archiveNumber)
        .where('type', '=', wanted.type)
        .where('created_at_ms', '>=', wanted.fromMs)
        .where('created_at_ms', '<', wanted.toMs)
        .where('event_begin_at_ms', '>=', wanted.fromMs)
        .where('event_id', '<>', wanted.exceptEvent)
        .groupBy(['rule', 'event_id']);
      const last = reading
        .selectFrom(told.as('told'))
        .select(['rule', lastAt.as('at_ms')])
        .groupBy('rule');
      const rows = await last.execute();
      return new Map(rows.map((row) => [row.rule, row.at_ms]));
    },
    waitingByGroup: async () => {
      const waiting = reading
        .selectFrom('notify_message')
        .select(({ fn }) => ['member_group', fn.countAll<number>().as('count')])
        .where('state', '=', sql.lit(MESSAGE_STATES.indexOf('waiting')))
        .groupBy('member_group');
      return new Map((await waiting.execute()).map((row) => [row.member_group, row.count]));
    },
  };
}
