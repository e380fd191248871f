import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOTICE_TEXT_PATH, NOTICES_PATH } from '../../../../../shared/protocol/api/system/notices.ts';
import { Permission } from '../../../../../shared/protocol/permissions.ts';
import { createTempFolder, type TempFolder } from '../../../../support/tempFolder.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

const ONE = { name: '@a/b', version: '1.0.0', license: 'MIT', shippedIn: 'both', source: 'https://example.com/b' };
const OTHER = { name: 'Icons', version: '', license: 'Apache-2.0', shippedIn: 'browser', source: '' };

let test: TestApp;
let folder: TempFolder;
let noticesFile: string;
beforeEach(async () => {
  folder = await createTempFolder();
  noticesFile = join(folder.path, 'notices.json');
  test = await createTestApp({}, { noticesFile });
  await test.addUser('root', [Permission.System, Permission.Version]);
});
afterEach(async () => {
  await test.close();
  await folder.remove();
});

function build(): void {
  writeFileSync(
    noticesFile,
    JSON.stringify({
      packages: [
        { ...ONE, text: 'Of b.' },
        { ...OTHER, text: 'Of icons.' },
      ],
    }),
  );
}

async function get(url: string, username = 'root') {
  const response = await test.request({ url, headers: { cookie: await test.signIn(username) } });
  return { status: response.statusCode, ...response.json() };
}
const textOf = (name: string, version: string) => get(`${NOTICE_TEXT_PATH}?${new URLSearchParams({ name, version })}`);

describe('notices', () => {
  it('lists what is shipped without the texts', async () => {
    build();
    expect(await get(NOTICES_PATH)).toEqual({ status: 200, error: false, data: { packages: [ONE, OTHER] } });
  });

  it('gives the text of one', async () => {
    build();
    expect((await textOf('@a/b', '1.0.0')).data).toEqual({ text: 'Of b.' });
    expect((await textOf('Icons', '')).data).toEqual({ text: 'Of icons.' });
  });

  it.each([
    ['@a/b', '2.0.0'],
    ['../notices.json', '1.0.0'],
    ['__proto__', ''],
  ])('has none of %s %s', async (name, version) => {
    build();
    expect(await textOf(name, version)).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('refuses a question without a version, or with more', async () => {
    build();
    expect((await get(`${NOTICE_TEXT_PATH}?name=Icons`)).status).toBe(400);
    expect((await get(`${NOTICE_TEXT_PATH}?name=Icons&version=&file=x`)).status).toBe(400);
    expect((await textOf('x'.repeat(257), '')).status).toBe(400);
  });

  it.each([[Permission.System], [Permission.Version]])('needs both permissions, not %s alone', async (permission) => {
    build();
    await test.addUser('half', [permission]);
    expect(await get(NOTICES_PATH, 'half')).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await get(`${NOTICE_TEXT_PATH}?name=Icons&version=`, 'half')).status).toBe(403);
    expect((await test.request({ url: NOTICES_PATH })).statusCode).toBe(401);
  });

  it('says so where nothing was built, and has them after the first build', async () => {
    expect(await get(NOTICES_PATH)).toMatchObject({ status: 503, code: 'not-built' });
    expect(await textOf('Icons', '')).toMatchObject({ status: 503, code: 'not-built' });
    build();
    expect((await get(NOTICES_PATH)).status).toBe(200);
  });

  it('reads them once', async () => {
    build();
    await get(NOTICES_PATH);
    writeFileSync(noticesFile, '{}');
    expect((await get(NOTICES_PATH)).data.packages).toHaveLength(2);
  });
});
