import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withTestFolder } from '../../../../server/setup/testFolder.mjs';
import { createTempFolder } from '../../../support/tempFolder.ts';

let path: string;
beforeEach(async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  path = folder.path;
  // The run that this test belongs to has one.
  vi.stubEnv('TMPDIR', '');
});
afterEach(() => void vi.unstubAllEnvs());

describe('withTestFolder', () => {
  it('has a folder while tests run, which other users can pass through, and removes it with all that is in it', async () => {
    let folder = '';
    const code = await withTestFolder(
      async ({ TMPDIR = '' }) => {
        folder = TMPDIR;
        writeFileSync(join(folder, 'left'), 'behind');
        return statSync(folder).mode & 0o777;
      },
      { path, roomBytes: 1 },
    );
    expect(code).toBe(0o711);
    expect(folder.startsWith(path)).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  it('removes it where the run fails', async () => {
    let folder = '';
    const failed = withTestFolder(
      async ({ TMPDIR = '' }) => {
        folder = TMPDIR;
        throw new Error('no tests');
      },
      { path, roomBytes: 1 },
    );
    await expect(failed).rejects.toThrow('no tests');
    expect(existsSync(folder)).toBe(false);
  });

  it('removes what a killed run has left, and nothing else', async () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    for (const name of [`fleetglass-tests-${ended}`, `fleetglass-tests-${process.ppid}`, 'other'])
      mkdirSync(join(path, name));
    await withTestFolder(async () => 0, { path, roomBytes: 1 });
    expect(existsSync(join(path, `fleetglass-tests-${ended}`))).toBe(false);
    expect(existsSync(join(path, `fleetglass-tests-${process.ppid}`))).toBe(true);
    expect(existsSync(join(path, 'other'))).toBe(true);
  });

  it.each([
    ['there is little room', { roomBytes: Number.MAX_SAFE_INTEGER }],
    ['there is no such disk', { path: '/nowhere' }],
  ])('changes nothing where %s', async (_why, disk) => {
    const env = vi.fn(async (_env: object) => 0);
    await withTestFolder(env, { path, roomBytes: 1, ...disk });
    expect(env).toHaveBeenCalledWith({});
  });

  it('leaves a TMPDIR that is set', async () => {
    vi.stubEnv('TMPDIR', '/elsewhere');
    const env = vi.fn(async (_env: object) => 0);
    await withTestFolder(env, { path, roomBytes: 1 });
    expect(env).toHaveBeenCalledWith({});
  });
});
