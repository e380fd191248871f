import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs } from '../../server/setup/paths.mjs';
import { createTempFolder, type TempFolder } from '../support/tempFolder.ts';
import { filesIn, repository } from './sourceFiles.ts';

// Each fixture is named after the one rule that it breaks; what stands between the name and the extension tells apart
// the files of one fixture; `helpers` holds what breaks none. They lie outside of what Biome checks, so they are looked at in a copy, as a page's code.
const fixtures = filesIn(import.meta.dirname, ['fixtures/lint'], /lint\/[^/]+$/).map((path) => basename(path));

let copy: TempFolder;
let rulesByFile: Map<string, string[]>;

beforeAll(async () => {
  copy = await createTempFolder();
  for (const file of ['.biome.jsonc', '.gitignore', 'package.json'])
    await cp(join(repository, file), join(copy.path, file));
  await cp(join(import.meta.dirname, 'fixtures/lint'), join(copy.path, 'pages/live'), { recursive: true });
  rulesByFile = rulesOf(await lint(copy.path));
});

afterAll(() => copy.remove());

describe('the lint configuration', () => {
  it('has a fixture for each rule that it names', async () => {
    const proved = new Set(fixtures.map(ruleOf));
    const named = rulesNamedIn(await readFile(join(repository, '.biome.jsonc'), 'utf8'));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((rule) => !proved.has(rule))).toEqual([]);
  });

  it.each(fixtures)('reports %s for its rule and for nothing else', (file) => {
    expect(rulesByFile.get(file)).toEqual([ruleOf(file)]);
  });
});

interface Diagnostic {
  readonly category: string;
  readonly severity: string;
  readonly location: { readonly path: string };
}

function lint(folder: string): Promise<readonly Diagnostic[]> {
  const flags = ['lint', '--reporter=json', '--max-diagnostics=none'];
  return new Promise((resolve, reject) => {
    // It ends with an error, as it should: only what it prints is looked at.
    execFile(process.execPath, [programs.biome, ...flags], { cwd: folder }, (_error, output, complaint) => {
      if (output === '') reject(new Error(complaint));
      else resolve((JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics);
    });
  });
}

function rulesOf(diagnostics: readonly Diagnostic[]): Map<string, string[]> {
  const rules = new Map<string, string[]>();
  for (const { category, severity, location } of diagnostics) {
    const file = basename(location.path);
    const rule = severity === 'error' ? basename(category) : `${basename(category)} (${severity})`;
    rules.set(file, [...(rules.get(file) ?? []), rule]);
  }
  return rules;
}

function ruleOf(file: string): string {
  return file.split('.')[0] ?? file;
}

/** The rules that the configuration switches on by name, in its general part. */
function rulesNamedIn(configuration: string): string[] {
  const general = configuration.slice(0, configuration.indexOf('"overrides"'));
  return [...general.matchAll(/"((?:no|use)[A-Z]\w+)": (?:"error"|\{ "level": "error")/g)].map(
    (match) => match[1] ?? '',
  );
}
