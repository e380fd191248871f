import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation } from '../engine/database.ts';
import type { AfterFailure, LoadTarget } from './loadTarget.ts';
import { openPostgresTarget } from './postgresTarget.ts';
import { openSqliteTarget } from './sqliteTarget.ts';

/** Whoever opens it closes it. */
export async function openLoadTarget(
  location: DatabaseLocation,
  onFault: OnFault,
  afterFailure: AfterFailure = 'as before',
): Promise<LoadTarget> {
  if (location.engine === 'postgres') return openPostgresTarget(location.url, onFault);
  return openSqliteTarget(location.file, afterFailure);
}
