// The words that describe backups; they are for programs, and pages translate them.

export const BACKUP_STATES = ['running', 'done', 'failed', 'canceled'] as const;
export type BackupState = (typeof BACKUP_STATES)[number];

/** States of the test restore that follows each backup. */
export const BACKUP_TEST_STATES = ['none', 'running', 'passed', 'failed'] as const;
export type BackupTestState = (typeof BACKUP_TEST_STATES)[number];

/** States of the copy that is kept elsewhere. */
export const BACKUP_COPY_STATES = ['none', 'waiting', 'done', 'failed'] as const;
export type BackupCopyState = (typeof BACKUP_COPY_STATES)[number];

export const BACKUP_ENCRYPTIONS = ['none', 'passphrase', 'recovery-key'] as const;
export type BackupEncryption = (typeof BACKUP_ENCRYPTIONS)[number];

/** History that a backup may leave out. */
export const BACKUP_HISTORY = ['positions', 'events', 'netflow', 'audit'] as const;
export type BackupHistory = (typeof BACKUP_HISTORY)[number];

/** Files beside the database that a backup holds by choice. */
export const BACKUP_FILES = ['firmware', 'evidence', 'reports'] as const;
export type BackupFiles = (typeof BACKUP_FILES)[number];

export const BACKUP_STEPS = ['daily', 'weekly'] as const;
export type BackupStep = (typeof BACKUP_STEPS)[number];

/** Why there is no backup, or why it could not be restored; '' for no fault. */
export const BACKUP_FAULTS = [
  '',
  /** The gateway ended before it was done. */
  'interrupted',
  'canceled',
  /** The folder is missing, or may not be written to. */
  'folder-missing',
  'disk-full',
  'wal-too-large',
  /** The archive is gone from its folder. */
  'file-missing',
  /** All rows came back, but what pages ask for could not be read. */
  'unreadable',
  'not-an-archive',
  'truncated',
  'damaged',
  'wrong-key',
  'key-needed',
  'newer-format',
  'newer-schema',
  'other-product',
  'unknown-table',
  'not-empty',
  'too-large',
  /** The bucket for the copy can't be reached now, or fails. The copy is tried again. */
  'copy-unreachable',
  /** The bucket refuses the copy, for example because of a wrong key, or doesn't exist. */
  'copy-refused',
  'internal',
] as const;
export type BackupFault = (typeof BACKUP_FAULTS)[number];

/** Why nothing was restored; '' if it was. */
export const RESTORE_FAULTS = [
  ...BACKUP_FAULTS,
  'restore-running',
  /** No backup of the present state could be made. */
  'backup-failed',
  /** Others work on the same database. */
  'other-gateways',
  /** No gateway started on what was restored, and the old state is back. */
  'start-failed',
] as const;
export type RestoreFault = (typeof RESTORE_FAULTS)[number];
