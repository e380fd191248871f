// `npm start`, and `npm run admin` with `admin` as its first word: the only module beside the demo's entry that reads the environment.
import { Registry } from 'prom-client';
import { NOTE_BEFORE_RESTORE } from '../shared/protocol/api/system/restore.ts';
import { type WallMs, wallMs } from '../shared/protocol/time.ts';
import { locateDatabase } from './app/gateway.ts';
import { createGatewayHost } from './app/gatewayHost.ts';
import { backUpBefore } from './app/installation/backupBefore.ts';
import { keptFree } from './app/installation/backupSteps.ts';
import { ensureFirstUser } from './auth/firstUser.ts';
import { createPasswords } from './auth/passwords.ts';
import { clearRestores, type Installation, recoverRestore } from './backup/restore/restoration.ts';
import { createBackupThreads } from './backup/thread/backupThread.ts';
import { type AdminCommand, runAdmin } from './commands/admin.ts';
import type { BackupCommand } from './commands/backupCommand.ts';
import { runBackupCommand } from './commands/backupCommands.ts';
import { readCommand } from './commands/readCommand.ts';
import { readConfig } from './config/readConfig.ts';
import type { Config } from './config/variables.ts';
import { boundHeapGrowth } from './process/heap.ts';
import { createProcessLog } from './process/log.ts';
import { makeFilesPrivate } from './process/privateFiles.ts';
import { guardProcess } from './process/processGuard.ts';
import { findProjectRoot, readVersion } from './process/projectRoot.ts';
import { countRestarts } from './process/restarts.ts';
import { openDatabase } from './store/engine/database.ts';
import { createStores, type Stores } from './store/stores.ts';

/** In the list of backups, where names of users stand: none has a space. */
const BY_COMMAND = 'npm run admin';

async function main(): Promise<void> {
  makeFilesPrivate();
  const command = readCommand(process.argv.slice(2));
  switch (command.kind) {
    case 'say':
      (command.exitCode === 0 ? process.stdout : process.stderr).write(command.text);
      process.exitCode = command.exitCode;
      return;
    case 'admin':
      return withConfig((config) => administer(config, command.command));
    case 'backup':
      return withConfig((config) => administerBackup(config, command.command));
    case 'start':
      return withConfig(start);
  }
}

async function withConfig(run: (config: Config) => Promise<void>): Promise<void> {
  const read = readConfig(process.env);
  if (!read.ok) {
    process.stderr.write(`${read.problems.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  return run(read.config);
}

async function start(config: Config): Promise<void> {
  boundHeapGrowth();
  const ofProcess = new Registry();
  const { log, recent } = createProcessLog(config.logLevel, ofProcess);
  const guard = guardProcess(log, ofProcess);
  countRestarts(ofProcess, process.env);
  const host = createGatewayHost(config, { log, recentLog: recent, metrics: ofProcess, onLost: guard.end });
  const gateway = await host.start();
  guard.closeBy(() => host.close());
  await clearRestores(installationOf(config)).catch((error: unknown) => log.error({ err: error }, 'restores'));
  try {
    await welcomeFirstUser(gateway.stores, config.adminPassword);
  } catch (error) {
    // A gateway that nobody can sign in to must not stay behind.
    await host.close();
    throw error;
  }
  process.stdout.write(`Ready: ${gateway.address}\n`);
}

async function administer(config: Config, command: AdminCommand): Promise<void> {
  await recoverRestore(installationOf(config));
  const database = await openDatabase(locateDatabase(config));
  try {
    const deps = { stores: createStores(database.db), passwords: await createPasswords(), now };
    const { text, exitCode } = await runAdmin(command, deps);
    (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
    process.exitCode = exitCode;
  } finally {
    await database.close();
  }
}

async function administerBackup(config: Config, command: BackupCommand): Promise<void> {
  const installation = installationOf(config);
  // What only reads can run beside a gateway, which brings it to its end itself.
  const isReading = command.kind === 'verify' || (command.kind === 'restore' && command.isDryRun);
  if (!isReading) await recoverRestore(installation);
  const { backupPassphrase, backupRecoveryKey } = config;
  const besides = command.kind === 'restore' && !command.isDryRun ? 'a closed gateway' : 'an open gateway';
  const threads = createBackupThreads(installation.onFault, besides);
  const { text, exitCode } = await runBackupCommand(command, {
    ...{ ...installation, backupPassphrase, backupRecoveryKey, now },
    threads,
    backUpPresent: (stores) =>
      backUpBefore(
        config,
        { madeBy: BY_COMMAND, note: NOTE_BEFORE_RESTORE },
        { ...installation, stores, threads, now },
      ),
    keptFree: keptFree(config),
    productVersion: readVersion(findProjectRoot()),
  });
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exitCode = exitCode;
}

function installationOf(config: Config): Installation {
  const onFault = (error: Error): void => void process.stderr.write(`${explain(error)}\n`);
  return { dataDir: config.dataDir, database: locateDatabase(config), onFault };
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
  const what = process.argv[2] === 'admin' ? 'The command failed' : 'The gateway could not start';
  process.stderr.write(`${what}: ${explain(error)}\n`);
  process.exitCode = 1;
});
