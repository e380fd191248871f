// The parts of an installation beside the rows of its database: its files, and which of its settings are secrets. All code takes
// paths and names from here, so that backups, support bundles and the protection of files leave none out.
import { join } from 'node:path';

/** A file or folder below DATA_DIR. */
export interface InstallationFile {
  /** Path with `/` between folders. */
  readonly path: string;
  readonly form: 'file' | 'folder';
  readonly kind: 'database' | 'key' | 'certificate' | 'data' | 'recordings' | 'cache';
  /** Whoever reads the file can act as the installation, or open what is sealed. */
  readonly isSecret: boolean;
  /** `as-rows`: the contents and not the file; `by-choice`: the member who sets up the backup decides. */
  readonly backup: 'as-rows' | 'encrypted-only' | 'by-choice' | 'never';
}

const DATABASE = { form: 'file', kind: 'database', isSecret: true, backup: 'as-rows' } as const;
const KEY = { form: 'file', kind: 'key', isSecret: true, backup: 'encrypted-only' } as const;
const DATA = { form: 'folder', kind: 'data', isSecret: false, backup: 'by-choice' } as const;
/** Recordings are larger than a backup can hold, and stay in their folder. */
const RECORDINGS = { form: 'folder', kind: 'recordings', isSecret: false, backup: 'never' } as const;

export const INSTALLATION_FILES = {
  /** These three exist only where DATABASE_URL names no PostgreSQL. */
  database: { ...DATABASE, path: 'fleetglass.db' },
  writeAheadLog: { ...DATABASE, path: 'fleetglass.db-wal' },
  sharedMemory: { ...DATABASE, path: 'fleetglass.db-shm' },
  /** Seals the secrets in the database. Named after what it sealed first; existing installations have it under this name. */
  sealingKey: { ...KEY, path: 'second-factor.key' },
  /** Signs evidence packages. */
  evidenceKey: { ...KEY, path: 'evidence.key' },
  /** The key for TLS=self-signed. Files that TLS_CERT and TLS_KEY name are managed by whoever made them. */
  tlsKey: { ...KEY, path: 'tls/key.pem' },
  /** Public, and useless without its key, so both are backed up together. */
  tlsCertificate: { ...KEY, path: 'tls/cert.pem', kind: 'certificate', isSecret: false },
  /** Pictures and files of events. */
  evidence: { ...DATA, path: 'evidence' },
  /** Results of reports. */
  reports: { ...DATA, path: 'reports' },
  /** Firmware images. */
  firmware: { ...DATA, path: 'firmware' },
  /** Recordings, unless RECORDING_DIR names another folder. */
  recordings: { ...RECORDINGS, path: 'recordings' },
  /** Files that data sync is receiving, and files that it couldn't read as video. */
  sync: { ...RECORDINGS, path: 'sync' },
  /** Backups, unless BACKUP_DIR names another folder. An unencrypted backup contains everything that the database has. */
  backups: { ...DATA, path: 'backups', isSecret: true, backup: 'never' },
  /** The folder in which restores are tested. */
  backupTests: { ...DATA, path: 'backup-tests', kind: 'cache', isSecret: true, backup: 'never' },
  /** Files that a restore builds, and those it replaces until a gateway has started on the new ones. */
  restores: { ...DATA, path: 'restore', kind: 'cache', isSecret: true, backup: 'never' },
  /** Parts of files that members are uploading. */
  uploads: { ...DATA, path: 'uploads', kind: 'cache', backup: 'never' },
} as const satisfies Readonly<Record<string, InstallationFile>>;

export type InstallationFileName = keyof typeof INSTALLATION_FILES;

export function installationPath({ dataDir }: { readonly dataDir: string }, name: InstallationFileName): string {
  return join(dataDir, INSTALLATION_FILES[name].path);
}

/** A path below DATA_DIR that begins with one in the list, such as those that a restore moves. */
export function belowDataDir(dataDir: string, path: string): string {
  return join(dataDir, path);
}

export interface SecretSetting {
  /** Name in the table `setting`. */
  readonly name: string;
  /** The key without which the value is useless; undefined: the value itself is the secret. */
  readonly sealedBy: InstallationFileName | undefined;
}

/** Settings that are secrets; all others may be shown to whoever runs the installation. */
export const SECRET_SETTINGS = {
  /** Seals live links. */
  linkKey: { name: 'link_key', sealedBy: undefined },
  /** The key pair by which push services know the installation. Its public half is given to browsers. */
  vapid: { name: 'notify.vapid', sealedBy: 'sealingKey' },
  /** The plan of backups, which keeps their passphrase or recovery key. */
  backupPlan: { name: 'backup.plan', sealedBy: 'sealingKey' },
} as const satisfies Readonly<Record<string, SecretSetting>>;
