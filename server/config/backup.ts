// Backups: where they lie, and the keys of commands.
import { optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const backupVariables = {
  backupDir: variable({
    name: 'BACKUP_DIR',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'Folder for backups, which must exist, such as a mounted share. Unset: backups under DATA_DIR.',
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
