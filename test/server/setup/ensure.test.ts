import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StepFailed } from '../../../server/setup/child.mjs';
import { refuseLink } from '../../../server/setup/ensure.mjs';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';

let folder: TempFolder;

beforeEach(async () => {
  folder = await createTempFolder();
});

afterEach(() => folder.remove());

it('refuses to install through a link, and says where it leads', async () => {
  const target = join(folder.path, 'elsewhere');
  const link = join(folder.path, 'node_modules');
  await mkdir(target);
  await writeFile(join(target, 'kept'), '');
  await symlink(target, link);
  expect(() => refuseLink(link)).toThrow(StepFailed);
  expect(() => refuseLink(link)).toThrow(target);
});

it('refuses a link that leads nowhere, too', async () => {
  const link = join(folder.path, 'node_modules');
  await symlink(join(folder.path, 'gone'), link);
  expect(() => refuseLink(link)).toThrow(/link to nothing/);
});

it('lets a folder pass, and none at all', async () => {
  expect(() => refuseLink(folder.path)).not.toThrow();
  expect(() => refuseLink(join(folder.path, 'node_modules'))).not.toThrow();
});
