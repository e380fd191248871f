// An import goes on after its request was answered: in the name of who asked, for as long as they may.
import { expect, it } from 'vitest';
import type { PartsImport } from '../../../../shared/protocol/api/system/backupParts.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { PASSWORD } from '../testApp.ts';
import { createPartsScene, failures, PARTS, type PartsScene } from './partsScene.ts';

const ADDRESS = '203.0.113.9';
const THROUGH_PROXY = { 'x-forwarded-for': ADDRESS, 'x-forwarded-proto': 'https', origin: 'https://gateway.test' };

type Headers = Readonly<Record<string, string>>;

/** Both steps with these headers. */
async function importTemplates({ test, backup }: PartsScene, headers: Headers): Promise<PartsImport> {
  const ask = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await test.request({ method, url, headers, ...(body && { body }) });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data.current as PartsImport;
  };
  const ended = async (): Promise<PartsImport> => {
    const current = await ask('GET', PARTS);
    return current.state === 'running' || current.state === 'importing' ? ended() : current;
  };
  await ask('POST', PARTS, { backup, key: '', parts: ['templates'] });
  const { id } = await ended();
  await ask('POST', `${PARTS}/apply`, { id });
  return ended();
}

async function addressOf({ test }: PartsScene, action: string): Promise<string | undefined> {
  return (await test.stores.audit.list({ limit: 50 })).find((entry) => entry.action === action)?.address;
}

it('comes from the same address and session, also where TLS ended at a proxy', async () => {
  const scene = await createPartsScene('sqlite', { TRUSTED_PROXIES: '127.0.0.1' });
  await fillFleet(scene.archived);
  const body = { username: 'root', password: PASSWORD };
  const login = { method: 'POST', url: '/api/user/login', headers: THROUGH_PROXY, body } as const;
  const [cookie] = (await scene.test.request(login)).cookies;
  expect(cookie?.name).toMatch(/^__Host-/);
  const done = await importTemplates(scene, { ...THROUGH_PROXY, cookie: `${cookie?.name}=${cookie?.value}` });
  expect(failures(done)).toEqual([]);
  expect(await addressOf(scene, 'template.add')).toBe(ADDRESS);
  expect(await addressOf(scene, 'backup.import')).toBe(ADDRESS);
});

it('works with the token of a framed page', async () => {
  const scene = await createPartsScene();
  await fillFleet(scene.archived);
  const headers = { cookie: await scene.test.signIn('root') };
  const made = await scene.test.request({ method: 'POST', url: '/api/user/frametoken', headers });
  const done = await importTemplates(scene, { 'connect-sid': made.json().data.sid, 'page-framed': '1' });
  expect(done).toMatchObject({ state: 'done', imported: { added: 1, changed: 0, failed: 0 } });
});

it('is refused row by row once the caller may not any more', async () => {
  const scene = await createPartsScene();
  await fillFleet(scene.archived);
  const id = await scene.test.addUser('clerk', ALL_PERMISSIONS, [scene.north]);
  const plan = await scene.plan(['templates'], 'clerk');
  const left = ALL_PERMISSIONS.filter((permission) => permission !== Permission.Template);
  await scene.test.stores.users.setPermissions(id, left);
  expect(failures(await scene.apply(plan, 'clerk'))).toEqual(['template Short: forbidden']);
  expect(await scene.test.stores.notifyTemplates.all()).toEqual([]);
});
