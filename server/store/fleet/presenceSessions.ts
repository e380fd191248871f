// The sessions in which terminals were signed in. The only module that writes `presence_session`; reportTraces.ts deletes them by age.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { evenSized } from '../engine/evenSized.ts';

/** How a session ended, by its number in the column `reason`: another connection of the same device took its place, and so on. */
const PRESENCE_ENDS = ['lasts', 'closed', 'replaced', 'gateway-stopped', 'crash'] as const;
export type PresenceEnd = (typeof PRESENCE_ENDS)[number];

/** Times are by the gateway's clock. */
export interface PresenceSession {
  readonly incarnation: number;
  readonly fromMs: number;
  /** 0 while it lasts. */
  readonly toMs: number;
  readonly reason: PresenceEnd;
}

/** The end of the session that a device has open, if there is one. */
export interface EndedPresence {
  readonly incarnation: number;
  readonly atMs: number;
  readonly reason: PresenceEnd;
}

export interface PresenceChanges {
  readonly ended: readonly EndedPresence[];
  /** Added after the ends: sessions that are already over, or the one that a device now has open. */
  readonly added: readonly PresenceSession[];
}

export interface PresenceSessionStore {
  /** Writes everything or nothing. */
  write(changes: PresenceChanges): Promise<void>;
  /** Notes that all open sessions lasted until then. */
  noteSeen(atMs: number): Promise<void>;
  endAll(atMs: number, reason: PresenceEnd): Promise<void>;
  /** Ends sessions that were left open, at the last moment they are known to have lasted. Gives how many. */
  endLeftOpen(): Promise<number>;
  /** The sessions that overlap a half-open span, ordered by device and then by time. */
  between(
    incarnations: readonly number[],
    span: { readonly fromMs: number; readonly toMs: number },
  ): Promise<PresenceSession[]>;
}

const ROWS_PER_STATEMENT = 1_000;

/** `reading`: for slow queries. */
export function createPresenceSessionStore(db: StoreDb, reading: StoreDb): PresenceSessionStore {
  return {
    write: (changes) => db.transaction().execute((work) => write(work, changes)),
    noteSeen: async (atMs) => {
      await db.updateTable('presence_session').set({ seen_at_ms: atMs }).where('to_ms', '=', 0).execute();
    },
    endAll: async (atMs, reason) => {
      const end = { to_ms: atMs, seen_at_ms: atMs, reason: numberOf(reason) };
      await db.updateTable('presence_session').set(end).where('to_ms', '=', 0).execute();
    },
    endLeftOpen: async () => {
      const open = db.updateTable('presence_session').where('to_ms', '=', 0);
      const ended = open.set((is) => ({ to_ms: is.ref('seen_at_ms'), reason: numberOf('crash') }));
      return Number((await ended.executeTakeFirst()).numUpdatedRows);
    },
    between: async (incarnations, { fromMs, toMs }) => {
      if (incarnations.length === 0) return [];
      const rows = await reading
        .selectFrom('presence_session')
        .select(['incarnation', 'from_ms', 'to_ms', 'reason'])
        .where('incarnation', 'in', incarnations)
        .where('from_ms', '<', toMs)
        .where(({ or, eb }) => or([eb('to_ms', '=', 0), eb('to_ms', '>', fromMs)]))
        .orderBy('incarnation')
        .orderBy('from_ms')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        incarnation: row.incarnation,
        fromMs: row.from_ms,
        toMs: row.to_ms,
        reason: PRESENCE_ENDS[row.reason] ?? 'closed',
      }));
    },
  };
}

function numberOf(reason: PresenceEnd): number {
  return PRESENCE_ENDS.indexOf(reason);
}

async function write(work: StoreDb, { ended, added }: PresenceChanges): Promise<void> {
  for (let start = 0; start < ended.length; start += ROWS_PER_STATEMENT) {
    await end(work, ended.slice(start, start + ROWS_PER_STATEMENT));
  }
  const rows = added.map(({ incarnation, fromMs, toMs, reason }) => ({
    incarnation,
    from_ms: fromMs,
    to_ms: toMs,
    seen_at_ms: Math.max(fromMs, toMs),
    reason: numberOf(reason),
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = rows.slice(start, start + ROWS_PER_STATEMENT);
    await work.insertInto('presence_session').values(part).execute();
  }
}

/** Each device may occur once. */
async function end(work: StoreDb, ended: readonly EndedPresence[]): Promise<void> {
  // PostgreSQL takes the parameters of a list without a table as text.
  const ends = evenSized(ended).map(
    ({ incarnation, atMs, reason }) =>
      sql`(cast(${incarnation} as bigint), cast(${atMs} as bigint), cast(${numberOf(reason)} as integer))`,
  );
  await sql`
    with ends (incarnation, at_ms, reason) as (values ${sql.join(ends)})
    update presence_session set to_ms = ends.at_ms, seen_at_ms = ends.at_ms, reason = ends.reason
    from ends where presence_session.incarnation = ends.incarnation and presence_session.to_ms = 0
  `.execute(work);
}
