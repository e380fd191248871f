// Where the gateway keeps its data.
import { optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const storageVariables = {
  dataDir: variable({
    name: 'DATA_DIR',
    preset: 'data',
    parser: textOf('a path', /./),
    about: 'Folder for the database, certificates and recordings.',
  }),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    preset: '',
    parser: optional(textOf('postgres://user:password@host:port/database', /^postgres(?:ql)?:\/\/\S+$/)),
    about: 'PostgreSQL database to use instead of the embedded one.',
    secret: true,
  }),
};
