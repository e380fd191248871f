// The gateway in a process of its own, which can be asked what memory it still needs and how many descriptors it holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiledProgram, GATEWAY } from '../../support/programs/compiledProgram.ts';

export interface GatewayProcess {
  /** Such as https://localhost:40001. */
  readonly address: string;
  /** The text that it wrote to standard error. */
  log(): string;
  isAlive(): boolean;
  /** Open files and sockets. */
  descriptors(): number;
  /** Bytes that are in use after a full garbage collection. */
  usedBytes(): Promise<number>;
  /** The work that it has done since the last call. */
  load(): Promise<Load>;
  /** Milliseconds until `/healthz` has answered with 200. Throws when it does not. */
  healthMs(): Promise<number>;
  stop(): Promise<void>;
}

export interface Load {
  /** Processor time of all its threads. */
  readonly processorMs: number;
  /** The longest time for which the event loop kept the processor in one turn. What others took, or the disk, is not included. */
  readonly longestTurnMs: number;
}

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Runs in the gateway's process before its first line: answers what memory is in use, and what was done. The kernel counts for
 * how long the first thread had a processor: what of it passes between two ticks of a timer was one turn of the event loop, or
 * a few short ones.
 */
const PROBE = `
import { readFileSync } from 'node:fs';
const ranMs = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;
let atMs = ranMs();
let longestTurnMs = 0;
let before = process.cpuUsage();
setInterval(() => {
  const nowMs = ranMs();
  longestTurnMs = Math.max(longestTurnMs, nowMs - atMs);
  atMs = nowMs;
}, 10).unref();
const usedBytes = () => {
  // What the first frees of buffers is counted as external until the second begins.
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  atMs = ranMs();
  return heapUsed + external;
};
const load = () => {
  const { user, system } = process.cpuUsage(before);
  const done = { processorMs: (user + system) / 1e3, longestTurnMs };
  before = process.cpuUsage();
  longestTurnMs = 0;
  return done;
};
process.on('message', (question) => process.send(question === 'load' ? load() : usedBytes()));
// The threads load this too, and have none.
process.channel?.unref();
`;

export async function startGatewayProcess(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, await compiledProgram(GATEWAY)], {
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
    usedBytes: async () => Number(await ask(child, 'used bytes')),
    load: async () => (await ask(child, 'load')) as Load,
    healthMs: () => healthMs(address),
    stop: async () => {
      if (!isAlive()) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function ask(child: ChildProcess, question: string): Promise<unknown> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  child.once('exit', end);
  const answered = once(child, 'message', { signal: ended.signal });
  child.send(question);
  const [answer] = await answered;
  child.off('exit', end);
  return answer;
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
