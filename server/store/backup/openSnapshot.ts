import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation } from '../engine/database.ts';
import { openPostgresSnapshot } from './postgresSnapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { openSqliteSnapshot } from './sqliteSnapshot.ts';

/** What is committed later is not in it. Whoever opens it closes it. A database in memory has none. */
export async function openSnapshot(location: DatabaseLocation, onFault: OnFault): Promise<Snapshot> {
  return location.engine === 'sqlite' ? openSqliteSnapshot(location.file) : openPostgresSnapshot(location.url, onFault);
}
