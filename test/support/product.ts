// The built gateway as its own process, on a data folder that the test has filled.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '../../server/store/database.ts';
import { createStores, type Stores } from '../../server/store/stores.ts';
import { freePorts } from './freePorts.ts';
import { createTempFolder } from './tempFolder.ts';

export interface Product {
  /** Such as http://localhost:40001. */
  readonly address: string;
  readonly jt808Port: number;
  readonly dataDir: string;
  /** What it has written to standard error so far. */
  log(): string;
  /** Ends it as a service manager does, and removes its folder. */
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../dist/gateway/server/main.js');

/** Starts the built product; `prepare` fills its database before. */
export async function startProduct(
  prepare: (stores: Stores) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const folder = await createTempFolder();
  await fillDatabase(join(folder.path, 'fleetglass.db'), prepare);
  const [port, jt808Port] = await freePorts(2);
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    JT808_PORT: String(jt808Port),
    JT1078_PORT: '0',
    DATA_DIR: folder.path,
    LOG_LEVEL: 'warn',
    ...environment,
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += String(chunk);
  });
  const address = await readyAddress(child, () => log);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await folder.remove();
  };
  return { address, jt808Port: Number(jt808Port), dataDir: folder.path, log: () => log, stop };
}

async function fillDatabase(file: string, prepare: (stores: Stores) => Promise<void>): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', file });
  try {
    await prepare(createStores(database.db));
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
