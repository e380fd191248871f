import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation } from '../engine/database.ts';
import type { LoadTarget } from './loadTarget.ts';
import { openPostgresTarget } from './postgresTarget.ts';
import { openSqliteTarget } from './sqliteTarget.ts';

/** Whoever opens it closes it. */
export async function openLoadTarget(location: DatabaseLocation, onFault: OnFault): Promise<LoadTarget> {
  return location.engine === 'sqlite' ? openSqliteTarget(location.file) : openPostgresTarget(location.url, onFault);
}
