import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const command = join(import.meta.dirname, '../../fixtures/childCommand.mjs');
const WAITING = `console.log('child ' + process.pid); setInterval(() => {}, 1000);`;

describe('a command', () => {
  it("ends with its child's exit code", async () => {
    expect(await exitOf(start(['process.exit(7)']))).toBe(7);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s on, and waits for an orderly end', async (signal) => {
    const running = start([`process.on('${signal}', () => setTimeout(() => process.exit(5), 50)); ${WAITING}`]);
    await pidsPrinted(running, 1);
    running.kill(signal);
    expect(await exitOf(running)).toBe(5);
  });

  it('ends as a shell does when a signal ended its child', async () => {
    const running = start([WAITING]);
    await pidsPrinted(running, 1);
    running.kill('SIGTERM');
    expect(await exitOf(running)).toBe(128 + 15);
  });

  it('stops the other child when one of two ends', async () => {
    const running = start([WAITING, `console.log('child ' + process.pid); setTimeout(() => process.exit(4), 300);`]);
    const pids = await pidsPrinted(running, 2);
    expect(await exitOf(running)).toBe(4);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it('stops its child when the npm that ran it is gone', async () => {
    // The shell stands for npm's: it ends on the signal and tells its child nothing.
    const shell = spawn('/bin/sh', ['-c', '"$0" "$1" "$2"; exit $?', process.execPath, command, WAITING], {
      env: { ...process.env, npm_lifecycle_event: 'demo' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = await pidsPrinted(shell, 1);
    shell.kill('SIGKILL');
    // The child holds the other end of the pipe: it closes when the child has ended.
    await once(shell, 'close');
    expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
  });
});

function start(scripts: readonly string[]): ChildProcess {
  return spawn(process.execPath, [command, ...scripts], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function exitOf(running: ChildProcess): Promise<number> {
  const [code] = await once(running, 'close');
  return code;
}

async function pidsPrinted(running: ChildProcess, count: number): Promise<number[]> {
  let output = '';
  const pids = (): number[] => [...output.matchAll(/child (\d+)\n/g)].map((match) => Number(match[1]));
  while (pids().length < count) {
    const [chunk] = await once(running.stdout ?? running, 'data');
    output += String(chunk);
  }
  return pids();
}
