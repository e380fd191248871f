// A program that a test kills, and the lines that it had written by then.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

export interface KilledProgram {
  readonly lines: () => readonly string[];
  kill(): Promise<void>;
}

export function startProgram(program: string, options: readonly (string | number)[]): KilledProgram {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', program, ...options.map(String)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (part: string) => {
    output += part;
  });
  return {
    // The last line may have been cut by the kill.
    lines: () => output.split('\n').slice(0, -1),
    kill: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
