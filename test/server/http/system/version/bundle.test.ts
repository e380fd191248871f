import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BUNDLE_FILES, BUNDLE_PATH } from '../../../../../shared/protocol/api/system/bundle.ts';
import { Permission } from '../../../../../shared/protocol/permissions.ts';
import { readArchive } from '../../../../support/media/readArchive.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
  await test.addUser('root', [Permission.System, Permission.Version]);
});
afterEach(() => test.close());

async function audited(): Promise<readonly string[]> {
  const entries = await test.stores.audit.list({ limit: 100 });
  return entries.filter(({ action }) => action === 'support.bundle').map(({ actor }) => actor);
}

it.each([[Permission.System], [Permission.Version]])('needs both permissions, not %s alone', async (permission) => {
  await test.addUser('half', [permission]);
  const cookie = await test.signIn('half');
  expect((await test.request({ url: BUNDLE_PATH, headers: { cookie } })).statusCode).toBe(403);
  expect((await test.request({ method: 'POST', url: BUNDLE_PATH, headers: { cookie } })).statusCode).toBe(403);
  expect((await test.request({ url: BUNDLE_PATH })).statusCode).toBe(401);
});

it('lists what it has, and downloads it once', async () => {
  const cookie = await test.signIn('root');
  const listed = await test.request({ url: BUNDLE_PATH, headers: { cookie } });
  const { files } = listed.json().data;
  expect(files.map(({ name }: { readonly name: string }) => name)).toEqual(BUNDLE_FILES);
  expect(files.every(({ entries }: { readonly entries: unknown }) => typeof entries === 'number')).toBe(true);
  expect(await audited()).toEqual([]);

  const offered = await test.request({ method: 'POST', url: BUNDLE_PATH, headers: { cookie } });
  const { address } = offered.json().data;
  const zip = await test.request({ url: address });
  expect(zip.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="support-bundle_20261118T110640Z.zip"',
    'cache-control': 'no-store',
  });
  expect([...readArchive(zip.rawPayload, true).keys()]).toEqual(BUNDLE_FILES);
  expect(await audited()).toEqual(['root']);
  expect((await test.request({ url: address })).json().code).toBe('no-such-download');
});

it('is not given to somebody who may no longer have it', async () => {
  const cookie = await test.signIn('root');
  const offered = await test.request({ method: 'POST', url: BUNDLE_PATH, headers: { cookie } });
  const root = await test.stores.users.findByName('root');
  await test.stores.users.setPermissions(root?.id ?? 0, [Permission.Version]);
  expect((await test.request({ url: offered.json().data.address })).statusCode).toBe(403);
  expect(await audited()).toEqual([]);
});

it('is made one at a time', async () => {
  const cookie = await test.signIn('root');
  const address = async () => {
    const offered = await test.request({ method: 'POST', url: BUNDLE_PATH, headers: { cookie } });
    return offered.json().data.address as string;
  };
  const [one, other] = [await address(), await address()];
  // The first one waits for the sizes of tables until the second has been answered.
  let goOn = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    vi.spyOn(test.stores.tableSizes, 'read').mockImplementationOnce(async () => {
      resolve();
      await answered;
      return [];
    });
  });
  const first = test.request({ url: one });
  await begun;
  const second = await test.request({ url: other });
  expect([second.statusCode, second.json().code]).toEqual([429, 'too-many-bundles']);
  expect(test.limits).toContain('support.bundles');
  goOn();
  expect((await first).statusCode).toBe(200);
  expect((await test.request({ url: await address() })).statusCode).toBe(200);
  expect(await audited()).toHaveLength(2);
});
