// What the programs say to arguments that they do not take: a line, no stack trace, and nothing is started.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtGateway, root } from '../../server/setup/paths.mjs';
import { createTempFolder } from '../support/tempFolder.ts';

const product = (file: string) => [join(builtGateway, file)];

interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function call(program: readonly string[], args: readonly string[]): Promise<Said> {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  // Nothing may be opened for a call that is wrong: the folder would be there.
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder.path, 'data') };
  const said = await new Promise<Said>((resolve) => {
    execFile(process.execPath, [...program, ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
  expect(existsSync(env.DATA_DIR)).toBe(false);
  return said;
}

// Every other argument: test/unit/server/commands/readCommand.test.ts and test/unit/bench/options.test.ts.
describe('arguments that a program does not take', () => {
  it.each([
    [
      'npm run admin',
      product('server/main.js'),
      ['admin'],
      /^Usage: npm run admin -- reset-password NAME \| reset-second-factor NAME \| backup FILE \| restore FILE \[--dry-run\] \[--without-backup\] \[--discard LIST\] \| verify FILE$/,
    ],
    ['npm run demo -- --nonsense', product('simulator/demo.js'), ['--nonsense'], /^Unknown option '--nonsense'\. /],
    [
      'npm run fleet -- --devices abc',
      product('simulator/fleet.js'),
      ['--devices', 'abc'],
      /^--devices takes a whole number/,
    ],
  ])('are told in a line: %s', async (_command, program, args, sentence) => {
    const { exitCode, stdout, stderr } = await call(program, args);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it.each([
    ['npm start', product('server/main.js'), []],
    ['npm run demo', product('simulator/demo.js'), []],
    ['npm run fleet', product('simulator/fleet.js'), []],
  ])('are explained by %s -- --help', async (command, program, args) => {
    const { exitCode, stdout, stderr } = await call(program, [...args, '--help']);
    expect(stdout.startsWith(`Usage: ${command}`)).toBe(true);
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});
