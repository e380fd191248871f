// A process that is killed: it restores an archive, and says on its output what it has come to.
import { buildRestored } from '../../../../server/backup/restore/buildRestored.ts';
import { recoverRestore } from '../../../../server/backup/restore/restoration.ts';
import { DEFAULT_CHOICES } from '../../../../server/backup/restore/restoreChoices.ts';
import { restoreInstallation } from '../../../../server/backup/restore/restoreInstallation.ts';
import type { DatabaseLocation } from '../../../../server/store/engine/database.ts';

const [dataDir = '', path = '', key = '', url = ''] = process.argv.slice(2);
const database: DatabaseLocation =
  url === '' ? { engine: 'sqlite', file: `${dataDir}/fleetglass.db` } : { engine: 'postgres', url };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const onFault = (error: Error): never => {
  throw error;
};

const installation = { dataDir, database, onFault };
await recoverRestore(installation);
say('begun');
const outcome = await restoreInstallation(
  { path, key: { kind: 'recovery-key', key: Buffer.from(key, 'hex') }, choices: DEFAULT_CHOICES },
  {
    ...installation,
    prepare: async () => undefined,
    build: async (task) => {
      const run = { signal: new AbortController().signal, onProgress: () => undefined, onFault };
      const built = await buildRestored(task, run);
      say('built');
      return built;
    },
  },
);
if (!outcome.ok) throw new Error(outcome.fault);
say('exchanged');
await outcome.exchange.finish();
say('finished');
