// A program that a test kills, and the lines that it had written by then.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compiledProgram } from '../programs/compiledProgram.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface KilledProgram {
  readonly lines: () => readonly string[];
  kill(): Promise<void>;
}

/** `source`: a `*Program.ts` of the tests. */
export async function startProgram(source: string, options: readonly (string | number)[]): Promise<KilledProgram> {
  const child: ChildProcess = spawn(process.execPath, [await compiledProgram(source), ...options.map(String)], {
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
