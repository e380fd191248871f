import { spawn } from 'node:child_process';

/** Runs the work beside a program of the lowest priority, which shows what a busy processor alone costs on this machine. */
export async function besideProgram<Result>(work: () => Promise<Result>): Promise<Result> {
  const program = spawn('nice', ['-n', '19', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    return await work();
  } finally {
    program.kill('SIGKILL');
  }
}
