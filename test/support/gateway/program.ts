// A program of ours that prints `Ready:` lines, as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { waitFor } from '../waitFor.ts';

export const projectRoot = join(import.meta.dirname, '../../..');
/** Loaded into a program, it makes it fail on SIGUSR2. */
export const FAULT_ON_SIGNAL = join(projectRoot, 'test/fixtures/faultOnSignal.mjs');

export interface Program {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  readonly exited: Promise<number | null>;
}

/** Starts it on ports that nothing else holds; it is killed when the test has finished. */
export function runProgram(script: readonly string[], env: Readonly<Record<string, string>>): Program {
  const ports = {
    HOST: '127.0.0.1',
    PORT: '0',
    JT808_PORT: '0',
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    FTP_PASSIVE_PORTS: '0',
    LOG_LEVEL: 'info',
    BACKGROUND_NICENESS: '0',
  };
  const child = spawn(process.execPath, script, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', ...ports, ...env },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.err += chunk;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

export const startsOf = ({ output }: Program): number => output.out.split('Ready: ').length - 1;

/** Resolves with the address that it told of last. */
export async function whenReady(program: Program, times: number): Promise<string> {
  await waitFor(`start ${times}`, () => startsOf(program) === times, Boolean, 60_000);
  return program.output.out.split('Ready: ').at(-1)?.split(/\s/)[0] ?? '';
}

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly kind?: string;
  readonly err?: { readonly message: string; readonly stack: string };
}

export function logOf({ output }: Program): LogLine[] {
  const lines = output.err.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as LogLine);
}
