// What belongs to an installation beside the rows of its database: its files, and which of its settings are secrets. Whoever opens
// one takes its path or its name from here, so that backups, support bundles and the protection of files leave none out.
import { join } from 'node:path';

/** Where it lies, below DATA_DIR. */
export interface InstallationFile {
  /** With `/` between folders. */
  readonly path: string;
  readonly form: 'file' | 'folder';
  readonly kind: 'database' | 'key' | 'certificate' | 'data' | 'recordings' | 'cache';
  /** Who reads it can act as the installation, or open what is sealed. */
  readonly isSecret: boolean;
  /** `as-rows`: its contents and not the file; `by-choice`: the member who sets the backup up decides. */
  readonly backup: 'as-rows' | 'encrypted-only' | 'by-choice' | 'never';
}

const DATABASE = { form: 'file', kind: 'database', isSecret: true, backup: 'as-rows' } as const;
const KEY = { form: 'file', kind: 'key', isSecret: true, backup: 'encrypted-only' } as const;
const DATA = { form: 'folder', kind: 'data', isSecret: false, backup: 'by-choice' } as const;
/** Footage takes more than a backup can hold, and stays in its folder. */
const RECORDINGS = { form: 'folder', kind: 'recordings', isSecret: false, backup: 'never' } as const;

export const INSTALLATION_FILES = {
  /** These three only where DATABASE_URL names no PostgreSQL. */
  database: { ...DATABASE, path: 'fleetglass.db' },
  writeAheadLog: { ...DATABASE, path: 'fleetglass.db-wal' },
  sharedMemory: { ...DATABASE, path: 'fleetglass.db-shm' },
  /** Seals what the database keeps of secrets. Named after what it sealed first; existing installations have it under this name. */
  sealingKey: { ...KEY, path: 'second-factor.key' },
  /** Signs evidence packages. */
  evidenceKey: { ...KEY, path: 'evidence.key' },
  /** Of TLS=self-signed. Files that TLS_CERT and TLS_KEY name belong to whoever made them. */
  tlsKey: { ...KEY, path: 'tls/key.pem' },
  /** Sent to everybody who asks; without its key of no use, so both are carried together. */
  tlsCertificate: { ...KEY, path: 'tls/cert.pem', kind: 'certificate', isSecret: false },
  /** Pictures and files of events. */
  evidence: { ...DATA, path: 'evidence' },
  /** Results. */
  reports: { ...DATA, path: 'reports' },
  /** Images. */
  firmware: { ...DATA, path: 'firmware' },
  /** Unless RECORDING_DIR names another folder. */
  recordings: { ...RECORDINGS, path: 'recordings' },
  /** What data sync is receiving, and files that it couldn't read as video. */
  sync: { ...RECORDINGS, path: 'sync' },
  /** Backups, unless BACKUP_DIR names another folder. One that isn't encrypted holds all that the database has. */
  backups: { ...DATA, path: 'backups', isSecret: true, backup: 'never' },
  /** Where restores are tried. */
  backupTests: { ...DATA, path: 'backup-tests', kind: 'cache', isSecret: true, backup: 'never' },
  /** What a restore builds, and what it replaces until a gateway has started on the new. */
  restores: { ...DATA, path: 'restore', kind: 'cache', isSecret: true, backup: 'never' },
  /** Parts of files that members are handing in. */
  uploads: { ...DATA, path: 'uploads', kind: 'cache', backup: 'never' },
} as const satisfies Readonly<Record<string, InstallationFile>>;

export type InstallationFileName = keyof typeof INSTALLATION_FILES;

export function installationPath({ dataDir }: { readonly dataDir: string }, name: InstallationFileName): string {
  return join(dataDir, INSTALLATION_FILES[name].path);
}

/** Of a path that begins with one in the list, such as those that a restore moves. */
export function belowDataDir(dataDir: string, path: string): string {
  return join(dataDir, path);
}

export interface SecretSetting {
  /** In the table `setting`. */
  readonly name: string;
  /** The key without which its value is of no use; none: the value is the secret. */
  readonly sealedBy: InstallationFileName | undefined;
}

/** All other settings may be shown to whoever runs the installation. */
export const SECRET_SETTINGS = {
  /** Seals live links. */
  linkKey: { name: 'link_key', sealedBy: undefined },
  /** The key pair by which push services know the installation. Its public half is given to browsers. */
  vapid: { name: 'notify.vapid', sealedBy: 'sealingKey' },
  /** The plan of backups, which keeps their passphrase or recovery key. */
  backupPlan: { name: 'backup.plan', sealedBy: 'sealingKey' },
} as const satisfies Readonly<Record<string, SecretSetting>>;
