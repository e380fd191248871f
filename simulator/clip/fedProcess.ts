import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

export interface FedProcess {
  readonly input: Writable;
  /** Resolves with the exit code; rejects when the program cannot be started or is ended by a signal. */
  readonly ended: Promise<number>;
}

/** A program that is fed on standard input. One that ends before it has read all breaks the pipe, which its exit code explains. */
export function startFedProcess(program: string, args: readonly string[]): FedProcess {
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null) reject(new Error(`${program} was ended by ${String(signal)}`));
      else resolve(code);
    });
  });
  // Whoever is still writing looks at it later.
  ended.catch(() => undefined);
  child.stdin.on('error', () => child.stdin.destroy());
  return { input: child.stdin, ended };
}
