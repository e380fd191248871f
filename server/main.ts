// `npm start`, and `npm run admin` with `admin` as its first word: the only module beside the demo's entry that reads the environment.
import { type WallMs, wallMs } from '../shared/protocol/time.ts';
import { ensureFirstUser } from './auth/firstUser.ts';
import { createPasswords } from './auth/passwords.ts';
import { runAdmin } from './commands/admin.ts';
import { helpText } from './config/help.ts';
import { readConfig } from './config/readConfig.ts';
import type { Config } from './config/variables.ts';
import { locateDatabase, startGateway } from './gateway.ts';
import { createLog } from './log.ts';
import { runUntilSignal } from './runUntilSignal.ts';
import { openDatabase } from './store/database.ts';
import { createStores, type Stores } from './store/stores.ts';

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(helpText());
    return;
  }
  const read = readConfig(process.env);
  if (!read.ok) {
    process.stderr.write(`${read.problems.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  if (process.argv[2] === 'admin') return administer(read.config, process.argv.slice(3));
  const log = createLog(read.config.logLevel);
  const gateway = await startGateway(read.config, { log });
  runUntilSignal(log, gateway.close);
  await welcomeFirstUser(gateway.stores, read.config.adminPassword);
  process.stdout.write(`Ready: ${gateway.address}\n`);
}

async function administer(config: Config, args: readonly string[]): Promise<void> {
  const database = await openDatabase(locateDatabase(config));
  try {
    const deps = { stores: createStores(database.db), passwords: await createPasswords(), now };
    const { text, exitCode } = await runAdmin(args, deps);
    (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
    process.exitCode = exitCode;
  } finally {
    await database.close();
  }
}

function now(): WallMs {
  return wallMs(Date.now());
}

/** On standard error, so that the ready line stays the only one on standard output. */
async function welcomeFirstUser(stores: Stores, configured: string | undefined): Promise<void> {
  const deps = { ...stores, passwords: await createPasswords(), now };
  const made = await ensureFirstUser(deps, configured);
  if (made === undefined) return;
  const password = made.madeUpPassword ?? 'the one in ADMIN_PASSWORD';
  process.stderr.write(`First start: sign in as ${made.username}, password ${password}. It is not shown again.\n`);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${explain(error.cause)})`;
}

main().catch((error: unknown) => {
  process.stderr.write(`The gateway could not start: ${explain(error)}\n`);
  process.exitCode = 1;
});
