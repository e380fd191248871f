// Backups: where they and their copies lie, and the keys of commands.
import { optional, textOf } from './valueParsers.ts';
import { type ValuesOf, variable } from './variable.ts';

export const backupVariables = {
  backupDir: variable({
    name: 'BACKUP_DIR',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'Folder for backups, which must exist, such as a mounted share. Unset: backups under DATA_DIR.',
  }),
  backupS3Endpoint: variable({
    name: 'BACKUP_S3_ENDPOINT',
    preset: '',
    parser: optional(
      textOf(
        'a URL without a path, such as https://s3.example:9000',
        /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i,
      ),
    ),
    about: 'S3-compatible service that gets a copy of each backup. Unset: no copies.',
  }),
  backupS3Region: variable({
    name: 'BACKUP_S3_REGION',
    preset: 'us-east-1',
    parser: textOf('a name such as eu-central-1', /^[a-z\d-]{1,64}$/i),
    about: 'Region of that service, which requests are signed for.',
  }),
  backupS3Bucket: variable({
    name: 'BACKUP_S3_BUCKET',
    preset: '',
    parser: optional(textOf('the name of a bucket', /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/)),
    about: 'Bucket for the copies, which must exist.',
  }),
  backupS3Prefix: variable({
    name: 'BACKUP_S3_PREFIX',
    preset: '',
    parser: textOf(
      'words of letters, digits, dots, dashes and underscores, separated by slashes',
      /^$|^(?=.{1,200}$)(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/,
    ),
    about: 'What the names of copies begin with, such as fleetglass/north. Needed where installations share a bucket.',
  }),
  backupS3AccessKey: variable({
    name: 'BACKUP_S3_ACCESS_KEY',
    preset: '',
    parser: optional(textOf('the ID of an access key', /^[!-~]{1,200}$/)),
    about: 'Access key for the bucket.',
    secret: true,
  }),
  backupS3SecretKey: variable({
    name: 'BACKUP_S3_SECRET_KEY',
    preset: '',
    parser: optional(textOf('a secret key', /^[!-~]{1,200}$/)),
    about: 'Secret of the access key.',
    secret: true,
  }),
  /** What `npm run admin -- backup`, `restore` and `verify` encrypt or open with. The command line would show it to every user. */
  backupPassphrase: variable({
    name: 'BACKUP_PASSPHRASE',
    preset: '',
    parser: optional(textOf('at least 8 characters', /^.{8,256}$/su)),
    about: 'Passphrase of a backup that a command makes, reads or restores. The gateway does not use it.',
    secret: true,
  }),
  backupRecoveryKey: variable({
    name: 'BACKUP_RECOVERY_KEY',
    preset: '',
    parser: optional(textOf('14 groups of four letters and digits', /^[A-Za-z0-9 -]{56,100}$/)),
    about: 'The same with a recovery key.',
    secret: true,
  }),
};

/** What is wrong with them together, in words. */
export function backupConflicts(config: ValuesOf<typeof backupVariables>): readonly string[] {
  const needed = [
    ['BACKUP_S3_ENDPOINT', config.backupS3Endpoint],
    ['BACKUP_S3_BUCKET', config.backupS3Bucket],
    ['BACKUP_S3_ACCESS_KEY', config.backupS3AccessKey],
    ['BACKUP_S3_SECRET_KEY', config.backupS3SecretKey],
  ] as const;
  const missing = needed.filter(([, value]) => value === undefined).map(([name]) => name);
  const isUnused = missing.length === needed.length && config.backupS3Prefix === '';
  if (missing.length === 0 || isUnused) return [];
  return [`Copies of backups also take ${missing.join(', ')}`];
}
