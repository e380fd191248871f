// Which row of a device is the newest one, also where its clock has been years off. Two or three looks into indices.
import { type RawBuilder, sql } from 'kysely';

/** A clock is put right at once, and what it said until then lies in its future for as long as it was ahead. */
const MEASURED_AHEAD_MS = 10 * 60_000;
/** Where nothing is known of it. */
const UNMEASURED_AHEAD_MS = 86_400_000;

/**
 * Number of the row; null where there is none. The device's time orders what it says, up to where its clock stands now: what is dated later is of
 * a clock that was ahead, and counts only if there is nothing else. `incarnation`: a column or a value.
 */
export function newestRow(incarnation: RawBuilder<number>, nowMs: number): RawBuilder<number | null> {
  const rows = sql`select p.id from position as p where p.incarnation = ${incarnation}`;
  const first = sql`order by p.device_time_ms desc, p.id desc limit 1`;
  const offset = sql`(select c.offset_ms from device_clock as c where c.incarnation = ${incarnation}
    order by c.device_from_ms + c.offset_ms desc limit 1)`;
  const measuredMs = sql`${integer(nowMs + MEASURED_AHEAD_MS)} - ${offset}`;
  const untilMs = sql`coalesce(${measuredMs}, ${integer(nowMs + UNMEASURED_AHEAD_MS)})`;
  return sql<number | null>`coalesce((${rows} and p.device_time_ms <= ${untilMs} ${first}), (${rows} ${first}))`;
}

/** PostgreSQL would take the type of a parameter from what it stands beside. */
function integer(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`;
}
