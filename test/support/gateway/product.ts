// The built gateway as its own process, on a data folder that the test has filled.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase, type StoreDb } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { freePorts } from '../freePorts.ts';
import { atWorkerEnd } from '../runner/workerEnd.ts';
import { createTempFolder } from '../tempFolder.ts';

export interface Product {
  /** Such as http://localhost:40001. */
  readonly address: string;
  readonly jt808Port: number;
  readonly dataDir: string;
  /** ID of the process that runs now. */
  processId(): number;
  /** What it has written to standard error so far. */
  log(): string;
  /** Kills it in the middle of whatever it does, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, at the same address and on the same folder. */
  startAgain(): Promise<void>;
  /** Ends it as a service manager does, and leaves its folder. */
  end(): Promise<void>;
  /** The same, and removes its folder. */
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../../dist/gateway/server/main.js');

type Environment = Readonly<Record<string, string>>;

/** Fills the database of a gateway that isn't running; `db` is for what no store writes. */
type Prepare = (stores: Stores, db: StoreDb) => Promise<void>;

/** Starts the built product; `prepare` fills its database before. `environment` may need the address. */
export async function startProduct(
  prepare: Prepare,
  environment: Environment | ((address: string) => Environment) = {},
): Promise<Product> {
  const folder = await createTempFolder();
  const database = join(folder.path, 'fleetglass.db');
  await copyFile(await emptyDatabase(), database);
  await fillDatabase(database, prepare);
  const [port, jt808Port] = await freePorts(2);
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    JT808_PORT: String(jt808Port),
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    FTP_PASSIVE_PORTS: '0',
    DATA_DIR: folder.path,
    LOG_LEVEL: 'warn',
    // Beside tests that keep every processor busy, a thread of the lowest priority would hardly run.
    BACKGROUND_NICENESS: '0',
    ...(typeof environment === 'function' ? environment(`http://127.0.0.1:${port}`) : environment),
  };
  let log = '';
  const start = (): ChildProcess => {
    const started = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.stderr.on('data', (chunk: Buffer) => {
      log += String(chunk);
    });
    return started;
  };
  let child = start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    address: await readyAddress(child, () => log),
    jt808Port: Number(jt808Port),
    dataDir: folder.path,
    processId: () => child.pid ?? 0,
    log: () => log,
    kill: () => end('SIGKILL'),
    end: () => end('SIGTERM'),
    startAgain: async () => {
      child = start();
      await readyAddress(child, () => log);
    },
    stop: async () => {
      await end('SIGTERM');
      await folder.remove();
    },
  };
}

let migrated: Promise<string> | undefined;

/** The file of a database that has every table and nobody's rows. It is made once in each worker, which removes it. */
function emptyDatabase(): Promise<string> {
  migrated ??= migrateNew();
  return migrated;
}

async function migrateNew(): Promise<string> {
  const folder = await createTempFolder();
  atWorkerEnd(() => rmSync(folder.path, { recursive: true, force: true }));
  const file = join(folder.path, 'empty.db');
  await fillDatabase(file, async () => undefined);
  return file;
}

async function fillDatabase(file: string, prepare: Prepare): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', file });
  try {
    await prepare(createStores(database.db), database.db);
  } finally {
    await database.close();
  }
}

async function readyAddress(child: ChildProcess, log: () => string): Promise<string> {
  if (child.stdout === null) throw new Error('the gateway has no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = /^Ready: (\S+)/.exec(line);
    if (ready?.[1] !== undefined) return ready[1];
  }
  throw new Error(`the gateway ended before it was ready: ${log()}`);
}
