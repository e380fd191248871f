// How many events are not closed, from which the gateway counts on by itself.
import { sql } from 'kysely';
import {
  EVENT_STATUSES,
  type EventStatus,
  SEVERITIES,
  type Severity,
} from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';

export interface OpenCount {
  readonly archiveNumber: number;
  readonly severity: Severity;
  readonly status: EventStatus;
  readonly count: number;
}

export interface OpenCounts {
  readonly counts: readonly OpenCount[];
  /** Later events are not counted; 0 where there are none. */
  readonly lastId: number;
}

export interface EventCountStore {
  /** By device, severity and status, of all times. */
  open(): Promise<OpenCounts>;
}

/** Statuses from here on are those of closed events, and no part of the index. */
const FIRST_CLOSED = EVENT_STATUSES.indexOf('closed');

export function createEventCountStore(reading: StoreDb): EventCountStore {
  return {
    open: async () => {
      const rows = await reading
        .selectFrom('event')
        .select(['archive_number', 'severity', 'status'])
        .select(({ fn }) => fn.countAll<number>().as('count'))
        // In the same statement, so that both are of one moment.
        .select((is) =>
          is
            .selectFrom('event as newest')
            .select(({ fn }) => fn.max('newest.id').as('id'))
            .as('last_id'),
        )
        .where('status', '<', sql.lit(FIRST_CLOSED))
        .groupBy(['archive_number', 'severity', 'status'])
        .execute();
      return { counts: rows.map(toOpenCount), lastId: rows[0]?.last_id ?? 0 };
    },
  };
}

interface OpenRow {
  readonly archive_number: number;
  readonly severity: number;
  readonly status: number;
  readonly count: number;
}

function toOpenCount(row: OpenRow): OpenCount {
  return {
    archiveNumber: row.archive_number,
    severity: SEVERITIES[row.severity] ?? 'info',
    status: EVENT_STATUSES[row.status] ?? 'new',
    count: row.count,
  };
}
