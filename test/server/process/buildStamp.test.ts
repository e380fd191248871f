import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBuildStamp } from '../../../server/process/buildStamp.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';

const UNBUILT = { commit: '', dateMs: 0, isModified: false };
let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
  await mkdir(join(folder.path, 'dist/gateway'), { recursive: true });
});
afterEach(() => folder.remove());

const write = (text: string) => writeFile(join(folder.path, 'dist/gateway/build.json'), text);
const read = (from = 'dist/gateway/server/process') => readBuildStamp(folder.path, join(folder.path, from));

describe('readBuildStamp', () => {
  it('reads what the build has written', async () => {
    await write('{"commit":"abc123","date":"2026-11-22T06:00:00.000Z","modified":true}\n');
    expect(read()).toEqual({ commit: 'abc123', dateMs: Date.UTC(2026, 10, 22, 6), isModified: true });
  });

  it('says nothing of code that runs from source, whatever was built before', async () => {
    await write('{"commit":"abc123","date":"2026-11-22T06:00:00.000Z","modified":true}\n');
    expect(read('server/process')).toEqual(UNBUILT);
    expect(read('dist/gateway2/server')).toEqual(UNBUILT);
  });

  it.each(['', '{"commit":"ab', 'null', '[]', '{}', '{"commit":7,"date":"yesterday"}'])(
    'takes %j for no stamp',
    async (text) => {
      await write(text);
      expect(read()).toEqual(UNBUILT);
    },
  );

  it('does without the file', () => {
    expect(read()).toEqual(UNBUILT);
  });
});
