// The folder in which a restore builds the new state, and keeps the old one until it is no longer needed.
import { randomBytes } from 'node:crypto';
import { INSTALLATION_FILES } from '../../installation.ts';

/** The folder is below DATA_DIR, so that a rename within it moves no bytes. */
export const RESTORE_FOLDER = INSTALLATION_FILES.restores.path;

export const RESTORE_ID = /^[0-9a-f]{12}$/;

export function newRestoreId(): string {
  return randomBytes(6).toString('hex');
}

/** Path in the folder of one restore. */
export function restorePath(id: string, ...parts: readonly string[]): string {
  return [RESTORE_FOLDER, id, ...parts].join('/');
}

/** The new database of the embedded engine. */
export function restoredDatabase(id: string): string {
  return restorePath(id, 'fleetglass.db');
}

/** Files of the archive, in a folder for each kind. */
export function stagedFiles(id: string): string {
  return restorePath(id, 'files');
}
