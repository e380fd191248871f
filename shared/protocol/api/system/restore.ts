// Restoring the installation from a backup: a dry run first, then a confirmation by title and password. Takes every permission;
// uploading an archive takes `system` and `sysbackup`.
import * as Type from 'typebox/type';
import { BACKUP_HISTORY, RESTORE_FAULTS } from '../../backup/backupWords.ts';
import { SecondFactorProof } from '../ownAccount.ts';
import { Count, closed, Flag, Id, Nullable, OneOf, type RecordOf, Text, Timestamp } from '../records.ts';
import { UploadId } from '../uploads/uploads.ts';
import { MAX_PASSPHRASE } from './backups.ts';

/** POST, with an UploadedBackup: begins to put an uploaded archive among the backups, and gives its Backup. */
export const BACKUP_UPLOADED_PATH = '/api/backup/uploaded';
/** GET: a RestoreState; POST, with a WantedRestore: begins the restore. */
export const RESTORE_PATH = '/api/backup/restore';
/** POST, with a WantedRestorePlan: begins a dry run, and gives the RestoreState; DELETE: cancels or forgets it. */
export const RESTORE_PLAN_PATH = '/api/backup/restore/plan';

export const MAX_RESTORE_TITLE = 200;
/** Note of the backup that a restore makes of the state that it replaces. Pages translate it. */
export const NOTE_BEFORE_RESTORE = 'Before a restore';

export const UploadedBackup = Type.Object({ upload: UploadId }, closed);
export type UploadedBackup = RecordOf<typeof UploadedBackup>;

export const WantedRestorePlan = Type.Object(
  {
    backup: Id,
    /**
     * Passphrase or recovery key. '': the one that the backup was made with, which this installation keeps, but not of an uploaded
     * backup.
     */
    key: Type.String({ maxLength: MAX_PASSPHRASE }),
  },
  closed,
);
export type WantedRestorePlan = RecordOf<typeof WantedRestorePlan>;

export const NameList = Type.Object({
  /** The first of them. */
  names: Type.Array(Text),
  count: Count,
});
export type NameList = RecordOf<typeof NameList>;

export const RestoreTable = Type.Object({
  name: Text,
  part: OneOf(['core', ...BACKUP_HISTORY]),
  now: Count,
  inArchive: Count,
  /** By primary key; null for tables whose rows are only counted. */
  compared: Nullable(Type.Object({ added: Count, kept: Count, removed: Count })),
});
export type RestoreTable = RecordOf<typeof RestoreTable>;

export const RestorePlan = Type.Object({
  /** The id that the restore is confirmed with. */
  id: Text,
  createdAtMs: Timestamp,
  productVersion: Text,
  schemaVersion: Count,
  /** `older`: its rows are migrated. */
  schema: OneOf(['same', 'older']),
  engine: Text,
  isOtherEngine: Flag,
  /** History that the backup does not have. */
  missingHistory: Type.Array(OneOf(BACKUP_HISTORY)),
  files: Count,
  tables: Type.Array(RestoreTable),
  vanishing: Type.Object({ devices: NameList, members: NameList }),
  /** What has happened since the backup was made. */
  since: Type.Object({
    disabled: NameList,
    passwordChanged: NameList,
    /** By device, note and who created them. */
    revokedLinks: NameList,
    events: Count,
    positions: Count,
    auditRows: Count,
  }),
});
export type RestorePlan = RecordOf<typeof RestorePlan>;

export const DryRun = Type.Object({
  backup: Id,
  file: Text,
  state: OneOf(['running', 'failed', 'ready']),
  /** Read so far. */
  rows: Count,
  fault: OneOf(RESTORE_FAULTS, 'internal'),
  /** Null except in the state `ready`. */
  plan: Nullable(RestorePlan),
});
export type DryRun = RecordOf<typeof DryRun>;

export const KeptByRestore = Type.Object({
  /** User names. */
  disabled: Type.Array(Text),
  passwordChanged: Type.Array(Text),
  /** By device, note and who created them. */
  revokedLinks: NameList,
  auditRows: Count,
  /** `does-not-fit`: it is of devices that the backup does not have. */
  history: Type.Array(
    Type.Object({ part: OneOf(BACKUP_HISTORY), outcome: OneOf(['kept', 'does-not-fit', 'not-wanted']) }),
  ),
});
export type KeptByRestore = RecordOf<typeof KeptByRestore>;

export const LastRestore = Type.Object({
  file: Text,
  /** When the backup was created. */
  createdAtMs: Timestamp,
  /** User name. */
  by: Text,
  endedAtMs: Timestamp,
  durationMs: Count,
  /** '': it is restored. Otherwise everything is as it was before. */
  fault: OneOf(RESTORE_FAULTS, 'internal'),
  kept: Nullable(KeptByRestore),
});
export type LastRestore = RecordOf<typeof LastRestore>;

export const RestoreState = Type.Object({
  dryRun: Nullable(DryRun),
  /** Since the process started. */
  last: Nullable(LastRestore),
});
export type RestoreState = RecordOf<typeof RestoreState>;

export const WantedRestore = Type.Object(
  {
    plan: Type.String({ maxLength: 64 }),
    /** The site's title, as the page's header shows it. */
    title: Type.String({ maxLength: MAX_RESTORE_TITLE }),
    ...SecondFactorProof.properties,
    /** The parts of the present state that stay, beside the audit log, which always does. */
    keep: Type.Object({ disabled: Flag, passwords: Flag, links: Flag, history: Flag }, closed),
  },
  closed,
);
export type WantedRestore = RecordOf<typeof WantedRestore>;
