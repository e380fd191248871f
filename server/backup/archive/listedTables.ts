// Tables that a gateway reads as a whole: at its start, in a test, and when parts of a backup are imported.
import { LISTED_ROWS_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';
import type { TableEntry } from './manifest.ts';

const LISTED: ReadonlySet<string> = new Set([
  ...['setting', 'role', 'member_group', 'member_group_device_group', 'app_user', 'device_group', 'device', 'fence'],
  ...['event_type', 'event_reason', 'event_rule', 'notify_template', 'notify_sender'],
]);

/** Throws `too-large`. */
export function checkListed(tables: readonly Pick<TableEntry, 'name' | 'rows'>[]): void {
  const long = tables.find(({ name, rows }) => LISTED.has(name) && rows > LISTED_ROWS_LIMIT.max);
  if (long !== undefined) throw new ArchiveFault('too-large', `${long.name} has ${long.rows} rows`);
}
