import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempFolder } from '../tempFolder.ts';

export interface PostgresCluster {
  readonly url: string;
  /** Without waiting for its clients. */
  stop(): Promise<void>;
  /** Again, on the same files, after `stop`. */
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  close(): Promise<void>;
}

/** A PostgreSQL server of our own on a Unix socket in a temporary folder. `programs` is the folder of initdb and postgres. */
export async function startPostgresCluster(programs: string): Promise<PostgresCluster> {
  const folder = await createTempFolder();
  const data = join(folder.path, 'data');
  const asUser = await unprivileged(folder.path);
  try {
    await initialise(programs, data, asUser);
    const start = () => serve(programs, data, folder.path, asUser);
    let server = await start();
    const stop = async (): Promise<void> => {
      server.stdin?.end();
      if (server.exitCode === null) await once(server, 'exit');
    };
    return {
      url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder.path)}`,
      stop,
      async start() {
        server = await start();
      },
      async close() {
        await stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

// PostgreSQL refuses to run as root. Any other user will do that owns its folder; 65534 is nobody on Linux.
const NOBODY = 65_534;

async function unprivileged(folder: string): Promise<SpawnOptions> {
  // The developer's locale would translate the line that tells when the server is ready.
  const common: SpawnOptions = { cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  if (process.getuid?.() !== 0) return common;
  await chown(folder, NOBODY, NOBODY);
  return { ...common, uid: NOBODY, gid: NOBODY };
}

async function initialise(programs: string, data: string, asUser: SpawnOptions): Promise<void> {
  const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  const initdb = spawn(join(programs, 'initdb'), ['-D', data, ...flags], {
    ...asUser,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaint = readAll(initdb);
  const [code] = await once(initdb, 'close');
  if (code !== 0) throw new Error(`initdb failed (${code}): ${complaint()}`);
}

// The shell keeps the server only as long as our end of its standard input is open, so that a test run that is killed
// leaves no server behind. INT makes PostgreSQL stop without waiting for its clients.
const SERVE = '"$0" "$@" & server=$!; cat >/dev/null; kill -INT $server; wait $server';

async function serve(programs: string, data: string, socket: string, asUser: SpawnOptions): Promise<ChildProcess> {
  // Nothing here outlives the run, so nothing has to reach the disk.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];
  const flags = ['-D', data, '-k', socket, '-h', '', ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn('/bin/sh', ['-c', SERVE, join(programs, 'postgres'), ...flags], {
    ...asUser,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await ready(server);
  return server;
}

/** Resolves once the server says that it takes connections. */
async function ready(server: ChildProcess): Promise<void> {
  const output = readAll(server);
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', () => {
      if (output().includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended (${code}) before it was ready: ${output()}`)));
  });
}

/** Collects what a program writes to its standard error, and keeps the pipe from filling up. */
function readAll(program: ChildProcess): () => string {
  let text = '';
  program.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
