// Events as rules of notifications would have judged them.
import { sql } from 'kysely';
import { SEVERITIES, type Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { isInScope } from '../events/list/eventChecks.ts';
import type { EventScope } from '../events/list/eventFilter.ts';

export interface PastEvent {
  readonly id: number;
  /** 0: the gateway itself. */
  readonly archiveNumber: number;
  readonly type: string;
  readonly severity: Severity;
  readonly beginAtMs: number;
  readonly isLate: boolean;
  /** Infinity: nobody has answered it. */
  readonly answeredAtMs: number;
}

export interface PastEventsWanted extends EventScope {
  /** Half open, of the begin. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Empty: all. */
  readonly types: readonly string[];
}

export interface PastEventStore {
  /** The latest first, and of one moment those with the highest id. Late ones are left out. `behind`: the last one of the part before. */
  latest(wanted: PastEventsWanted, limit: number, behind: PastEvent | undefined): Promise<PastEvent[]>;
}

export function createPastEventStore(reading: StoreDb): PastEventStore {
  return {
    latest: async (wanted, limit, behind) => {
      const all = reading
        .selectFrom('event')
        .select(['id', 'archive_number', 'type', 'severity', 'begin_at_ms', 'acknowledged_at_ms'])
        .where('begin_at_ms', '>=', wanted.fromMs)
        .where('begin_at_ms', '<', wanted.toMs)
        .where('late', '=', 0)
        .where(isInScope(wanted))
        .orderBy('begin_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      const ofTypes = wanted.types.length === 0 ? all : all.where('type', 'in', wanted.types);
      const rest =
        behind === undefined
          ? ofTypes
          : ofTypes.where(
              sql<boolean>`(begin_at_ms, id) < (cast(${behind.beginAtMs} as bigint), cast(${behind.id} as bigint))`,
            );
      return (await rest.execute()).map((row) => ({
        id: row.id,
        archiveNumber: row.archive_number,
        type: row.type,
        severity: SEVERITIES[row.severity] ?? 'info',
        beginAtMs: row.begin_at_ms,
        isLate: false,
        answeredAtMs: row.acknowledged_at_ms === 0 ? Number.POSITIVE_INFINITY : row.acknowledged_at_ms,
      }));
    },
  };
}
