import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { isPostgres } from '../engine/lockingRows.ts';

/** Any number that no other program on the same PostgreSQL uses for its advisory locks. */
const ROOM_LOCK = 0x666c_6c69;

/**
 * In a transaction that adds devices: whether there is room for so many, of `maxDevices` in all (0: no limit). One such transaction
 * after another, so that two don't take the same place.
 */
export async function hasRoom(work: StoreDb, more: number, maxDevices: number): Promise<boolean> {
  if (maxDevices === 0 || more === 0) return true;
  // The embedded database has one transaction that writes at a time.
  if (isPostgres(work)) await sql`select pg_advisory_xact_lock(${sql.lit(ROOM_LOCK)})`.execute(work);
  const counting = work.selectFrom('device').select(({ fn }) => fn.countAll<number>().as('devices'));
  const { devices } = await counting.executeTakeFirstOrThrow();
  return devices + more <= maxDevices;
}
