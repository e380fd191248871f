// Backups: where they lie.
import { optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const backupVariables = {
  backupDir: variable({
    name: 'BACKUP_DIR',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'Folder for backups, which must exist, such as a mounted share. Unset: backups under DATA_DIR.',
  }),
};
