// Backups: which there are, when they are made, and what is in them. All of it takes `system` and `sysbackup`; a download, and a
// change of the encryption or key, take every permission and a proof.
import * as Type from 'typebox/type';
import {
  BACKUP_COPY_STATES,
  BACKUP_ENCRYPTIONS,
  BACKUP_FAULTS,
  BACKUP_FILES,
  BACKUP_HISTORY,
  BACKUP_STATES,
  BACKUP_STEPS,
  BACKUP_TEST_STATES,
} from '../../backup/backupWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  LineOfText,
  Nullable,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';
import { CodeText, PasswordText } from '../signIn.ts';

/** GET: a BackupList; POST, with a WantedBackup: begins one, and gives it. */
export const BACKUPS_PATH = '/api/backup/backups';
/** GET: a BackupPlan; PUT, with a ChangedBackupPlan: a SavedBackupPlan. */
export const BACKUP_PLAN_PATH = '/api/backup/plan';

export function backupPath(id: number | ':id'): string {
  return `${BACKUPS_PATH}/${id}`;
}

/** POST: cancels what runs for the backup. */
export function backupCancelPath(id: number | ':id'): string {
  return `${backupPath(id)}/cancel`;
}

/** POST, with a WantedBackupTest: tries to restore it. */
export function backupTestPath(id: number | ':id'): string {
  return `${backupPath(id)}/test`;
}

/** POST, with a SecondFactorProof: a BackupAddress. */
export function backupDownloadPath(id: number | ':id'): string {
  return `${backupPath(id)}/download`;
}

export const MAX_BACKUP_NOTE = 200;
export const MIN_PASSPHRASE = 12;
export const MAX_PASSPHRASE = 200;
export const MAX_KEPT = 1_000;
const MINUTES_A_DAY = 1_440;

const contents = {
  history: Type.Array(OneOf(BACKUP_HISTORY), { maxItems: BACKUP_HISTORY.length, uniqueItems: true }),
  files: Type.Array(OneOf(BACKUP_FILES), { maxItems: BACKUP_FILES.length, uniqueItems: true }),
  encryption: OneOf(BACKUP_ENCRYPTIONS),
};

const Kept = Type.Integer({ minimum: 0, maximum: MAX_KEPT });
const plan = {
  enabled: Flag,
  every: OneOf(BACKUP_STEPS),
  /** From 1, Monday, to 7; for `weekly`. */
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
  minuteOfDay: Type.Integer({ minimum: 0, maximum: MINUTES_A_DAY - 1 }),
  timeZone: ShortText,
  /** For this many days, weeks and months that have a backup, the newest one is kept. */
  keepDays: Type.Integer({ minimum: 1, maximum: MAX_KEPT }),
  keepWeeks: Kept,
  keepMonths: Kept,
  ...contents,
};
export const BackupPlanValues = Type.Object(plan, closed);
export type BackupPlanValues = RecordOf<typeof BackupPlanValues>;

export const BackupPlan = Type.Object({
  version: Version,
  ...plan,
  /** There is a passphrase or recovery key, which is never shown. */
  hasKey: Flag,
  /** 0: turned off. */
  nextRunAtMs: Timestamp,
});
export type BackupPlan = RecordOf<typeof BackupPlan>;

export const ChangedBackupPlan = Type.Object(
  {
    version: Version,
    ...plan,
    /** Null: the current passphrase stays. */
    passphrase: Nullable(Type.String({ minLength: MIN_PASSPHRASE, maxLength: MAX_PASSPHRASE })),
    /** Makes another recovery key. If there is none yet, one is made anyway. */
    newRecoveryKey: Flag,
    /**
     * Password of the member who changes the encryption, the passphrase or the recovery key. Otherwise `password` and `code` are
     * ignored.
     */
    password: Type.Optional(PasswordText),
    /** Code of the member's second factor, if there is one. */
    code: Type.Optional(CodeText),
  },
  closed,
);
export type ChangedBackupPlan = RecordOf<typeof ChangedBackupPlan>;

export const SavedBackupPlan = Type.Object({
  plan: BackupPlan,
  /** To be written down: it is never shown again. '' where none was made. */
  recoveryKey: Text,
});
export type SavedBackupPlan = RecordOf<typeof SavedBackupPlan>;

const BackupTestResult = Type.Object({
  state: OneOf(BACKUP_TEST_STATES),
  atMs: Timestamp,
  durationMs: Count,
  fault: OneOf(BACKUP_FAULTS, 'internal'),
});

export const Backup = Type.Object({
  id: Id,
  file: Text,
  createdAtMs: Timestamp,
  endedAtMs: Timestamp,
  /** User name; '' if made by schedule. */
  madeBy: Text,
  isManual: Flag,
  /** Uploaded as a file. Until the backup has been read, its content isn't known, and `rows` is 0. */
  isUploaded: Flag,
  note: Text,
  state: OneOf(BACKUP_STATES),
  fault: OneOf(BACKUP_FAULTS, 'internal'),
  bytes: Count,
  rows: Count,
  sha256: Text,
  productVersion: Text,
  schemaVersion: Count,
  engine: Text,
  ...contents,
  test: BackupTestResult,
  copyState: OneOf(BACKUP_COPY_STATES),
  copyFault: OneOf(BACKUP_FAULTS, 'internal'),
});
export type Backup = RecordOf<typeof Backup>;

export const RunningBackup = Type.Object({
  id: Id,
  /** `take`: an uploaded backup is read and moved to the others. */
  does: OneOf(['write', 'test', 'take']),
  /** So far. */
  rows: Count,
  /** Before compression. */
  bytes: Count,
});
export type RunningBackup = RecordOf<typeof RunningBackup>;

export const BackupList = Type.Object({
  /** The newest first. */
  backups: Type.Array(Backup),
  running: Nullable(RunningBackup),
  /** The backups' folder on the server. */
  folder: Text,
  /**
   * Whether `BACKUP_DIR` names the folder; otherwise it is beside the data, on the same disk. Left out by a server that doesn't
   * report it.
   */
  isFolderSet: Flag,
  /** Folder of the recordings, which are in no backup. */
  recordingFolder: Text,
  nextRunAtMs: Timestamp,
});
export type BackupList = RecordOf<typeof BackupList>;

export const WantedBackup = Type.Object({ note: LineOfText(MAX_BACKUP_NOTE) }, closed);
export type WantedBackup = RecordOf<typeof WantedBackup>;

export const WantedBackupTest = Type.Object(
  {
    /**
     * Passphrase or recovery key. '': the one that the backup was made with, which this installation keeps, but not of an uploaded
     * backup.
     */
    key: Type.String({ maxLength: MAX_PASSPHRASE }),
  },
  closed,
);
export type WantedBackupTest = RecordOf<typeof WantedBackupTest>;

export const BackupAddress = Type.Object({
  /** Works once, for ten minutes. */
  address: Text,
});
export type BackupAddress = RecordOf<typeof BackupAddress>;
