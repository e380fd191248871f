import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../server/setup/paths.mjs';
import { repository } from './sourceFiles.ts';

/** What the compiler says about the fixture that is named after a flag. */
const ERROR_BY_FLAG: Readonly<Record<string, string>> = {
  strict: 'TS7006',
  exactOptionalPropertyTypes: 'TS2375',
  noUncheckedIndexedAccess: 'TS2532',
  noImplicitOverride: 'TS4114',
  noImplicitReturns: 'TS7030',
  noFallthroughCasesInSwitch: 'TS7029',
  noUnusedLocals: 'TS6133',
  noUnusedParameters: 'TS6133',
  noUncheckedSideEffectImports: 'TS2882',
  allowUnreachableCode: 'TS7027',
  allowUnusedLabels: 'TS7028',
  erasableSyntaxOnly: 'TS1294',
  verbatimModuleSyntax: 'TS1484',
};

/** Flags that say how the code is read, and forbid nothing. */
const NO_CHECKS = ['isolatedModules', 'allowImportingTsExtensions', 'resolveJsonModule', 'skipLibCheck', 'noEmit'];

describe('the compiler flags', () => {
  it('report each its own fixture, and nothing else', async () => {
    const expected = Object.entries(ERROR_BY_FLAG).map(([flag, code]) => `${flag}.ts ${code}`);
    expect((await compile('types')).sort()).toEqual(expected.sort());
  });

  it('have a fixture each', async () => {
    const configuration = await readFile(join(repository, 'tsconfig.json'), 'utf8');
    const flags = [...configuration.matchAll(/"(\w+)": (?:true|false)/g)].map((match) => match[1] ?? '');
    expect(flags.filter((flag) => !NO_CHECKS.includes(flag)).sort()).toEqual(Object.keys(ERROR_BY_FLAG).sort());
  });
});

describe('the globals that a zone sees', () => {
  // Each fixture uses window, self, process and TextEncoder, in this order.
  it.each([
    ['protocol', ['window', 'self', 'process']],
    ['workers', ['window', 'process']],
    ['pages', ['process']],
    ['server', ['window', 'self']],
  ])('are those of its platform: %s', async (zone, foreign) => {
    const report = await runCompiler(`globals/${zone}`);
    expect([...report.matchAll(/Cannot find name '(\w+)'/g)].map((match) => match[1])).toEqual(foreign);
    expect(report.match(/error TS/g)).toHaveLength(foreign.length);
  });
});

/** The errors of a fixture folder, as `file code`. */
async function compile(folder: string): Promise<string[]> {
  const report = await runCompiler(folder);
  return [...report.matchAll(/^(.+)\(\d+,\d+\): error (TS\d+)/gm)].map(
    ([, path, code]) => `${basename(path ?? '')} ${code}`,
  );
}

function runCompiler(folder: string): Promise<string> {
  const project = join(import.meta.dirname, 'fixtures', folder);
  return new Promise((resolve, reject) => {
    // It ends with an error, as it should: only what it prints is looked at.
    execFile(process.execPath, [programs.tsc, '-p', project, '--pretty', 'false'], (_error, output, complaint) => {
      if (complaint === '') resolve(output);
      else reject(new Error(complaint));
    });
  });
}
