import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../../server/setup/paths.mjs';

describe('the last line of a test run', () => {
  it.each([
    ['quiet', '1 passed, 0 failed', 0],
    ['counts', '2 passed, 1 failed, 1 skipped', 1],
    ['broken', '0 passed, 1 failed', 1],
    ['hook', '0 passed, 1 failed, 1 skipped', 1],
    ['unhandled', '1 passed, 1 failed', 1],
  ])('counts everything that fails: %s', async (name, line, exitCode) => {
    const run = await runVitest(name);
    expect(run.output.trimEnd().split('\n').at(-1)).toBe(line);
    expect(run.exitCode).toBe(exitCode);
  });

  it('stands behind the slowest files and what was skipped for want of a program', async () => {
    const { output } = await runVitest('quiet', { SKIPPED_NOTES: 'Skipped: store tests on PostgreSQL.' });
    expect(output.trimEnd().split('\n').slice(-4)).toEqual([
      'Slowest files:',
      expect.stringMatching(/^ +\d+\.\d s {2}quiet\.case\.ts$/),
      'Skipped: store tests on PostgreSQL.',
      '1 passed, 0 failed',
    ]);
  });
});

interface Run {
  readonly output: string;
  readonly exitCode: number;
}

function runVitest(file: string, env: Record<string, string> = {}): Promise<Run> {
  const config = join(import.meta.dirname, '../../../fixtures/countReporter/vitest.config.ts');
  const args = [programs.vitest, 'run', '--config', config, `${file}.case.ts`];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { env: { ...process.env, SKIPPED_NOTES: '', ...env } },
      (_error, output) => resolve({ output, exitCode: child.exitCode ?? -1 }),
    );
  });
}
