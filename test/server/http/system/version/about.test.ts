import { createHash, createPublicKey } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrations } from '../../../../../server/store/migrations/list.ts';
import { ABOUT_PATH, type About } from '../../../../../shared/protocol/api/system/about.ts';
import { Permission } from '../../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { TEST_PRODUCT } from '../../testAbout.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const KEEPER = [Permission.System, Permission.Version];

async function readAbout(): Promise<About> {
  await test.addUser('root', KEEPER);
  const response = await test.request({ url: ABOUT_PATH, headers: { cookie: await test.signIn('root') } });
  expect(response.statusCode).toBe(200);
  return response.json().data;
}

it('is for those with both permissions alone', async () => {
  await test.addUser('system', [Permission.System]);
  await test.addUser('version', [Permission.Version]);
  await test.addUser('backup', [Permission.System, Permission.SystemBackup]);
  for (const name of ['system', 'version', 'backup']) {
    const response = await test.request({ url: ABOUT_PATH, headers: { cookie: await test.signIn(name) } });
    expect([name, response.statusCode]).toEqual([name, 403]);
  }
  expect((await test.request({ url: ABOUT_PATH })).statusCode).toBe(401);
});

it('says what runs, since when and on what', async () => {
  const { version, build, node, platform, timeZone, startedAtMs } = TEST_PRODUCT;
  const about = await readAbout();
  expect(about).toMatchObject({ version, build, node, platform, timeZone, startedAtMs, nowMs: test.clock.now });
  expect(about.database).toEqual({
    engine: 'sqlite',
    version: expect.stringMatching(/^3\.\d+/),
    bytes: expect.any(Number),
  });
  expect(about.database.bytes).toBeGreaterThan(0);
  expect(about).not.toHaveProperty('changelog');
});

it('has every step of the schema with its name and time', async () => {
  const { schema } = await readAbout();
  expect(schema.version).toBe(migrations.length);
  expect(schema.steps.map(({ version, name }) => [version, name])).toEqual(
    migrations.map(({ version, name }) => [version, name]),
  );
  expect(schema.steps.every(({ appliedAtMs }) => appliedAtMs > 0)).toBe(true);
});

it('lists the gateways of the database, and which of them answers', async () => {
  const seen = (id: string, seenAtMs: number) =>
    test.stores.gateways.seen({
      id,
      host: `host of ${id}`,
      version: '9.8.7',
      startedAtMs: wallMs(5),
      seenAtMs: wallMs(seenAtMs),
    });
  await seen('other', 20);
  await seen(TEST_PRODUCT.gatewayId, 30);
  const { gateways } = await readAbout();
  expect(gateways.map(({ id, isThis, seenAtMs }) => [id, isThis, seenAtMs])).toEqual([
    [TEST_PRODUCT.gatewayId, true, 30],
    ['other', false, 20],
  ]);
  expect(gateways[1]).toMatchObject({ host: 'host of other', version: '9.8.7', startedAtMs: 5 });
});

it('says what is new since the version that ran before', async () => {
  await test.stores.productVersions.note('9.8.5', wallMs(1));
  await test.stores.productVersions.note('9.8.7', wallMs(2));
  expect((await readAbout()).changes).toEqual({
    previousVersion: '9.8.5',
    markdown: '## 9.8.7\n\n- Ninth.\n\n## 9.8.6\n\n- Eighth.',
    isCut: false,
  });
});

it('has the key that evidence packages are signed with, and its fingerprint', async () => {
  const { publicKey, fingerprint } = (await readAbout()).evidenceKey;
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  expect(fingerprint).toMatch(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/);
  expect(fingerprint.replaceAll(' ', '')).toBe(createHash('sha256').update(der).digest('hex'));
  expect(publicKey).toContain('BEGIN PUBLIC KEY');
});
