// The contents of an archive, in the words of the list of backups: known once all of it has been read.
import type { BackupFiles } from '../../../shared/protocol/backup/backupWords.ts';
import type { ReadContents } from '../../store/system/backups.ts';
import type { FileKind, Manifest } from './manifest.ts';

/** Keys and certificates are part of every encrypted backup, and can't be chosen. */
const FILES = [
  ['firmware', 'firmware'],
  ['evidence', 'event-media'],
  ['reports', 'report'],
] as const satisfies readonly (readonly [BackupFiles, FileKind])[];

/** `kinds`: kinds of the files that were found. */
export function contentsOf({ tables, history }: Manifest, kinds: ReadonlySet<FileKind>): ReadContents {
  return {
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    history,
    files: FILES.flatMap(([name, kind]) => (kinds.has(kind) ? [name] : [])),
  };
}
