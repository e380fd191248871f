import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stampAgain } from '../../../server/setup/buildStamp.mjs';
import { outputOf } from '../../../server/setup/child.mjs';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';

let folder: TempFolder;
let file: string;
beforeEach(async () => {
  folder = await createTempFolder();
  file = join(folder.path, 'build.json');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await folder.remove();
});

const at = (commit: string) => (args: readonly string[]) => {
  const answers: Readonly<Record<string, string>> = {
    log: `${commit} 2026-11-22T06:00:00Z`,
    'rev-parse': '\n',
    status: '',
  };
  return answers[args[0] ?? ''];
};
const commit = () => JSON.parse(readFileSync(file, 'utf8')).commit;

describe('stampAgain', () => {
  it('notes a commit of what was built already', () => {
    stampAgain(at('first'), file);
    stampAgain(at('second'), file);
    expect(commit()).toBe('second');
  });

  it('leaves the stamp without git', () => {
    stampAgain(at('first'), file);
    stampAgain(() => undefined, file);
    expect(commit()).toBe('first');
  });

  it('mends a stamp that was cut short', () => {
    stampAgain(at('first'), file);
    const written = readFileSync(file, 'utf8');
    writeFileSync(file, 'cut sh');
    stampAgain(at('first'), file);
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  it('keeps no command from starting where it must not write', () => {
    const said = vi.spyOn(console, 'error').mockReturnValue();
    stampAgain(at('first'), join(folder.path, 'gone/build.json'));
    expect(said).toHaveBeenCalledWith(expect.stringContaining('The build keeps the stamp that it has'));
  });
});

describe('outputOf', () => {
  it('gives what a program prints', () => {
    expect(outputOf(process.execPath, ['-p', '1 + 1'])).toBe('2\n');
  });

  it('gives nothing of one that fails, or that is not there', () => {
    expect(outputOf(process.execPath, ['-e', 'console.log(1); process.exit(1)'])).toBeUndefined();
    expect(outputOf(join(folder.path, 'gone'), [])).toBeUndefined();
  });
});
