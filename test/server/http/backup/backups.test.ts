import { readdir, readlink, rm, truncate } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_PLAN } from '../../../../server/backup/plan/planText.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { createGate } from '../../../support/gate.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../testApp.ts';

const PATH = '/api/backup/backups';
const PLAN = '/api/backup/plan';
const PASSPHRASE = 'a long enough passphrase';
const TEN_MINUTES_MS = 600_000;
const CHANGE = { ...FIRST_PLAN.values, version: 1, passphrase: null, newRecoveryKey: false };

let test: TestApp;
let cookie: string;
beforeEach(async () => {
  test = await createTestApp();
  await test.addUser('root', ALL_PERMISSIONS);
  cookie = await test.signIn('root');
});
afterEach(async () => {
  await test.backups.idle();
  await test.close();
});

const get = async (url: string) => (await test.request({ url, headers: { cookie } })).json().data;
const ask = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  test.request({ method, url, headers: { cookie }, ...(body && { body }) });
/** Actions in the order in which they were written, since not all clocks are the test's. */
const audited = async () =>
  (await test.stores.audit.list({ limit: 50 }))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('backup.'))
    .reverse();

async function make(note = '') {
  const { id } = (await ask('POST', PATH, { note })).json().data;
  await test.backups.idle();
  return id as number;
}

describe('backups (S-2.4.19)', () => {
  it('are there for holders of both permissions alone', async () => {
    await test.addUser('half', [Permission.System, Permission.Version]);
    await test.addUser('other', [Permission.SystemBackup]);
    const id = await make();
    for (const name of ['half', 'other']) {
      const headers = { cookie: await test.signIn(name) };
      const calls = [
        { url: PATH },
        { url: PLAN },
        { method: 'PUT', url: PLAN, body: CHANGE },
        { method: 'POST', url: PATH, body: { note: '' } },
        { method: 'POST', url: `${PATH}/${id}/test`, body: { key: '' } },
        { method: 'POST', url: `${PATH}/${id}/cancel` },
        { method: 'POST', url: `${PATH}/${id}/download`, body: { password: PASSWORD } },
        { method: 'DELETE', url: `${PATH}/${id}` },
      ] as const;
      for (const call of calls) expect((await test.request({ ...call, headers })).statusCode).toBe(403);
    }
  });

  it('are made with a note, tested and listed', async () => {
    const { promise, open } = createGate();
    test.backups.gate.opened = promise;
    const begun = (await ask('POST', PATH, { note: 'before the move' })).json().data;
    expect(begun).toMatchObject({ state: 'running', note: 'before the move', madeBy: 'root', isManual: true });
    expect((await get(PATH)).running).toEqual({ id: begun.id, does: 'write', rows: 0, bytes: 0 });
    const second = await ask('POST', PATH, { note: '' });
    expect([second.statusCode, second.json().code]).toEqual([409, 'backup-running']);
    open();
    await test.backups.idle();
    const { backups, running, nextRunAtMs } = await get(PATH);
    expect([running, nextRunAtMs]).toEqual([null, 0]);
    expect(backups).toMatchObject([{ id: begun.id, state: 'done', bytes: 4, test: { state: 'passed' } }]);
    expect(Object.keys(backups[0])).not.toContain('sealedKey');
    expect(await audited()).toEqual(['backup.make', 'backup.tested']);
  });

  it('are canceled', async () => {
    const { promise, open } = createGate();
    test.backups.gate.opened = promise;
    const { id } = (await ask('POST', PATH, { note: '' })).json().data;
    expect((await ask('POST', `${PATH}/${id}/cancel`)).statusCode).toBe(200);
    open();
    await test.backups.idle();
    expect((await get(PATH)).backups).toMatchObject([{ state: 'canceled' }]);
    expect((await ask('POST', `${PATH}/${id}/cancel`)).json().code).toBe('backup-ended');
    expect((await ask('POST', `${PATH}/99/cancel`)).json().code).toBe('no-such-backup');
    expect(await audited()).toEqual(['backup.make', 'backup.cancel']);
  });

  it('are tested again and deleted, but not the newest that passed its test', async () => {
    const first = await make();
    const second = await make();
    expect((await ask('POST', `${PATH}/${first}/test`, { key: '' })).statusCode).toBe(200);
    await test.backups.idle();
    expect((await ask('DELETE', `${PATH}/${second}`)).json().code).toBe('last-tested-backup');
    expect((await ask('DELETE', `${PATH}/${first}`)).statusCode).toBe(200);
    expect((await ask('DELETE', `${PATH}/${first}`)).json().code).toBe('no-such-backup');
    // A test may have ended before the answer that it has begun.
    const [made, tested] = [
      ['backup.make', 'backup.tested'],
      ['backup.test', 'backup.tested'],
    ];
    expect((await audited()).toSorted()).toEqual([...made, ...made, ...tested, 'backup.delete'].toSorted());
  });
});

describe('the download of a backup', () => {
  it('needs every permission', async () => {
    const id = await make();
    await test.addUser('clerk', [Permission.System, Permission.SystemBackup]);
    const headers = { cookie: await test.signIn('clerk') };
    const body = { password: PASSWORD };
    const refused = await test.request({ method: 'POST', url: `${PATH}/${id}/download`, body, headers });
    expect(refused.statusCode).toBe(403);
  });

  it('asks for the password, and works once', async () => {
    const id = await make();
    const wrong = await ask('POST', `${PATH}/${id}/download`, { password: 'not it' });
    expect([wrong.statusCode, wrong.json().code]).toEqual([403, 'wrong-password']);
    const { address } = (await ask('POST', `${PATH}/${id}/download`, { password: PASSWORD })).json().data;
    test.clock.now = (test.clock.now + TEN_MINUTES_MS - 1) as typeof test.clock.now;
    const sent = await test.request({ url: address });
    expect([sent.statusCode, sent.body]).toEqual([200, 'good']);
    expect(sent.headers['content-disposition']).toMatch(
      /^attachment; filename="fleetglass-\d{8}-\d{6}-[0-9a-f]{6}\.fgb"$/,
    );
    expect((await test.request({ url: address })).statusCode).toBe(404);
    expect(await audited()).toEqual(['backup.make', 'backup.tested', 'backup.download']);
  });

  it('is gone after ten minutes, and with the permission', async () => {
    const id = await make();
    const address = async () =>
      (await ask('POST', `${PATH}/${id}/download`, { password: PASSWORD })).json().data.address as string;
    const [late, forbidden] = [await address(), await address()];
    const { id: user } = (await test.stores.users.findByName('root')) ?? { id: 0 };
    await test.stores.users.setPermissions(user, [Permission.System, Permission.SystemBackup]);
    expect((await test.request({ url: forbidden })).statusCode).toBe(403);
    await test.stores.users.setPermissions(user, ALL_PERMISSIONS);
    test.clock.now = (test.clock.now + TEN_MINUTES_MS) as typeof test.clock.now;
    expect((await test.request({ url: late })).statusCode).toBe(404);
  });

  it('breaks off when the permission is taken on the way', async () => {
    const id = await make();
    // The file is larger than the buffers of a connection that nobody reads.
    await truncate(test.backups.calls.folder.pathOf((await get(PATH)).backups[0].file), 64 * 1024 * 1024);
    const { address } = (await ask('POST', `${PATH}/${id}/download`, { password: PASSWORD })).json().data;
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const answer = await new Promise<IncomingMessage>((resolve) => httpGet({ port, path: address }, resolve));
    expect(answer.statusCode).toBe(200);
    const { id: user } = (await test.stores.users.findByName('root')) ?? { id: 0 };
    await test.stores.users.setPermissions(user, [Permission.System]);
    await waitFor('the end of the connection', openConnections, (count) => count === 0);
    await expect(buffer(answer)).rejects.toThrow();
  });

  it('leaves no file open where the audit can not be written', async () => {
    const id = await make();
    const path = test.backups.calls.folder.pathOf((await get(PATH)).backups[0].file);
    const { address } = (await ask('POST', `${PATH}/${id}/download`, { password: PASSWORD })).json().data;
    const add = vi.spyOn(test.stores.audit, 'add').mockRejectedValueOnce(new Error('the database is away'));
    expect((await test.request({ url: address })).statusCode).toBe(500);
    expect(add).toHaveBeenCalledOnce();
    expect(await openFiles()).not.toContain(path);
  });

  it('is refused where there is no file', async () => {
    const id = await make();
    const { file } = (await get(PATH)).backups[0];
    await rm(test.backups.calls.folder.pathOf(file));
    const refused = await ask('POST', `${PATH}/${id}/download`, { password: PASSWORD });
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'backup-file-missing']);
  });
});

describe('the plan of backups', () => {
  it('is read and changed, and gives no key away', async () => {
    expect(await get(PLAN)).toEqual({ ...FIRST_PLAN.values, version: 1, hasKey: false, nextRunAtMs: 0 });
    const change = { ...CHANGE, enabled: true, encryption: 'passphrase', passphrase: PASSPHRASE, password: PASSWORD };
    const { plan, recoveryKey } = (await ask('PUT', PLAN, change)).json().data;
    expect([plan.version, plan.hasKey, plan.nextRunAtMs > 0, recoveryKey]).toEqual([2, true, true, '']);
    expect(JSON.stringify([plan, await test.stores.settings.getAll()])).not.toContain(PASSPHRASE);
    expect(test.backups.planChanges.count).toBe(1);
    expect(await audited()).toEqual(['backup.plan']);
  });

  it('shows a recovery key in the answer that makes it', async () => {
    const change = { ...CHANGE, encryption: 'recovery-key', password: PASSWORD };
    expect((await ask('PUT', PLAN, change)).json().data.recoveryKey).toMatch(/^([A-Z2-7]{4}-){13}[A-Z2-7]{4}$/);
    expect((await ask('PUT', PLAN, { ...change, version: 2 })).json().data.recoveryKey).toBe('');
  });

  it('gets another encryption or key with a proof alone', async () => {
    const change = { ...CHANGE, encryption: 'recovery-key' };
    expect((await ask('PUT', PLAN, change)).json().data.fields).toEqual({ password: 'required' });
    const wrong = await ask('PUT', PLAN, { ...change, password: 'a guess at it' });
    expect([wrong.statusCode, wrong.json().code]).toEqual([403, 'wrong-password']);
    expect((await get(PLAN)).version).toBe(1);
    expect((await ask('PUT', PLAN, { ...change, password: PASSWORD })).statusCode).toBe(200);
    const anew = { ...change, version: 2, newRecoveryKey: true };
    expect((await ask('PUT', PLAN, anew)).json().data.fields).toEqual({ password: 'required' });
    expect((await ask('PUT', PLAN, { ...CHANGE, version: 2 })).json().data.fields).toEqual({ password: 'required' });
    // A change that leaves the key as it is needs no password.
    expect((await ask('PUT', PLAN, { ...change, version: 2, keepDays: 9 })).statusCode).toBe(200);
  });

  it('gets another encryption or key from holders of every permission alone', async () => {
    await test.addUser('clerk', [Permission.System, Permission.SystemBackup]);
    const headers = { cookie: await test.signIn('clerk') };
    const put = async (body: object) => {
      const answer = await test.request({ method: 'PUT', url: PLAN, body, headers });
      return [answer.statusCode, answer.json().code];
    };
    const change = { ...CHANGE, encryption: 'recovery-key', password: PASSWORD };
    expect(await put(change)).toEqual([403, 'beyond-own']);
    expect(await put({ ...CHANGE, keepDays: 9 })).toEqual([200, undefined]);
    await ask('PUT', PLAN, { ...change, version: 2 });
    const known = { ...change, version: 3 };
    for (const body of [
      { ...known, newRecoveryKey: true },
      { ...known, encryption: 'none' },
    ])
      expect(await put(body)).toEqual([403, 'beyond-own']);
    expect(await put({ ...known, encryption: 'passphrase', passphrase: PASSPHRASE })).toEqual([403, 'beyond-own']);
    expect((await get(PLAN)).version).toBe(3);
  });

  it('is refused with what is missing, of no zone, and on an old version', async () => {
    const missing = await ask('PUT', PLAN, { ...CHANGE, encryption: 'passphrase', password: PASSWORD });
    expect(missing.json().data.fields).toEqual({ passphrase: 'required' });
    const noZone = await ask('PUT', PLAN, { ...CHANGE, timeZone: 'Mars/North' });
    expect(noZone.json().data.fields).toEqual({ timeZone: 'bad-format' });
    await ask('PUT', PLAN, CHANGE);
    const late = await ask('PUT', PLAN, CHANGE);
    expect(late.json()).toMatchObject({ code: 'conflict', data: { current: { version: 2 } } });
  });
});

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    test.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** The files that this process has open. One that was closed meanwhile counts as none. */
async function openFiles(): Promise<readonly string[]> {
  const numbers = await readdir('/proc/self/fd');
  return Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
}
