// How device groups lie in one another, and which member groups own them: what decides whom a rule or a geofence covers.
import type { StoreDb } from '../engine/database.ts';

/** By group; undefined at the top. */
export async function readGroupParents(db: StoreDb): Promise<Map<number, number | undefined>> {
  const rows = await db.selectFrom('device_group').select(['serialno', 'parent']).execute();
  return new Map(rows.map(({ serialno, parent }) => [serialno, parent ?? undefined]));
}

/** Member groups by the device groups that they own. */
export async function readGroupOwners(db: StoreDb): Promise<Map<number, Set<number>>> {
  const rows = await db.selectFrom('member_group_device_group').selectAll().execute();
  const owners = new Map<number, Set<number>>();
  for (const row of rows) {
    owners.set(row.device_group, (owners.get(row.device_group) ?? new Set()).add(row.member_group));
  }
  return owners;
}

/** Devices of member groups, each with the one of its owners that is there longest: the device's things count for that one alone. */
export function deviceOwners(db: StoreDb) {
  return db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(({ fn }) => ['device.device_id', 'device.archive_number', fn.min('owns.member_group').as('owner')])
    .groupBy(['device.device_id', 'device.archive_number']);
}
