// The gateway in a process of its own, which can be asked what memory it still needs and how many descriptors it holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface GatewayProcess {
  /** Such as https://localhost:40001. */
  readonly address: string;
  /** What it wrote to standard error. */
  log(): string;
  isAlive(): boolean;
  /** Open files and sockets. */
  descriptors(): number;
  /** Bytes that are in use after a full garbage collection. */
  usedBytes(): Promise<number>;
  /** Milliseconds until `/healthz` has answered with 200. Throws when it does not. */
  healthMs(): Promise<number>;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');

/** Runs in the gateway's process before its first line: answers what memory is in use. */
const PROBE = `
process.on('message', () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
process.channel.unref();
`;

export async function startGatewayProcess(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, '--import', 'tsx', 'server/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log = (log + String(chunk)).slice(-MAX_LOG_LENGTH);
  });
  const address = await readyAddress(child, () => log);
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    address,
    log: () => log,
    isAlive,
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    usedBytes: async () => {
      const answered = once(child, 'message');
      child.send('measure');
      const [bytes] = await answered;
      return Number(bytes);
    },
    healthMs: () => healthMs(address),
    stop: async () => {
      if (!isAlive()) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const MAX_LOG_LENGTH = 20_000;

async function readyAddress(child: ChildProcess, log: () => string): Promise<string> {
  if (child.stdout === null) throw new Error('the gateway has no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = /^Ready: (\S+)/.exec(line);
    if (ready?.[1] !== undefined) return ready[1];
  }
  throw new Error(`the gateway ended before it was ready: ${log()}`);
}

async function healthMs(address: string): Promise<number> {
  const startedMs = performance.now();
  const url = `${address}/healthz`;
  const options = { agent: false, rejectUnauthorized: false } as const;
  const request = address.startsWith('https:') ? getSecure(url, options) : getPlain(url, options);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`/healthz answered ${response.statusCode}`);
  return performance.now() - startedMs;
}
