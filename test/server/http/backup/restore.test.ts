import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_PLAN } from '../../../../server/backup/plan/planText.ts';
import { ServerSetting } from '../../../../server/http/system/serverSettings.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createGate } from '../../../support/gate.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../testApp.ts';

const RESTORE = '/api/backup/restore';
const PLAN = '/api/backup/restore/plan';
const KEEP = { disabled: true, passwords: true, links: false, history: true };
const TITLE = 'Northern depot';

let test: TestApp;
let cookie: string;
beforeEach(async () => {
  test = await createTestApp();
  await test.stores.settings.set(ServerSetting.WebTitle, TITLE);
  await test.addUser('root', ALL_PERMISSIONS);
  cookie = await test.signIn('root');
});
afterEach(async () => {
  await test.backups.idle();
  await test.close();
});

const state = async () => (await test.request({ url: RESTORE, headers: { cookie } })).json().data;
const ask = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  test.request({ method, url, headers: { cookie }, ...(body && { body }) });
const answerOf = async (asked: ReturnType<typeof ask>) => {
  const answer = await asked;
  return [answer.statusCode, answer.json().code];
};

async function make() {
  const { id, file } = (await ask('POST', '/api/backup/backups', { note: '' })).json().data;
  await test.backups.idle();
  return { id, file } as { readonly id: number; readonly file: string };
}

async function planned() {
  const backup = await make();
  await ask('POST', PLAN, { backup: backup.id, key: '' });
  const { dryRun } = await waitFor('a dry run', state, ({ dryRun: run }) => run?.state === 'ready');
  return { ...backup, plan: dryRun.plan.id as string, dryRun };
}

describe('a restore (S-2.4.19)', () => {
  it('says before what it would do', async () => {
    expect(await state()).toEqual({ dryRun: null, last: null });
    const { id, file, dryRun } = await planned();
    expect(dryRun).toMatchObject({ backup: id, file, state: 'ready', fault: '' });
    expect(dryRun.plan).toMatchObject({
      ...{ schema: 'older', productVersion: '9.8.6', missingHistory: ['positions'] },
      tables: [
        { name: 'device', now: 3, inArchive: 2, compared: { added: 0, kept: 2, removed: 1 } },
        { name: 'event', now: 70, inArchive: 50, compared: null },
      ],
      vanishing: { devices: { names: ['BUS 3'], count: 1 } },
      since: {
        disabled: { names: ['kim'], count: 1 },
        revokedLinks: { names: ['BUS 3 (kim)'], count: 1 },
        events: 20,
        positions: 900,
      },
    });
    expect((await ask('DELETE', PLAN)).statusCode).toBe(200);
    expect(await state()).toEqual({ dryRun: null, last: null });
  });

  it('is confirmed by the title and the password', async () => {
    const { plan, file } = await planned();
    const body = { plan, title: TITLE, password: PASSWORD, keep: KEEP };
    expect(await answerOf(ask('POST', RESTORE, { ...body, plan: 'another' }))).toEqual([409, 'restore-plan-outdated']);
    expect(await answerOf(ask('POST', RESTORE, { ...body, title: 'northern' }))).toEqual([422, 'wrong-title']);
    expect(await answerOf(ask('POST', RESTORE, { ...body, password: 'a guess at it' }))).toEqual([
      403,
      'wrong-password',
    ]);
    expect(test.backups.restores.begun).toEqual([]);
    expect((await ask('POST', RESTORE, body)).statusCode).toBe(200);
    const [begun] = await waitFor(
      'a restore',
      () => test.backups.restores.begun,
      (all) => all.length > 0,
    );
    expect(begun).toMatchObject({ file, choices: KEEP, by: 'root', key: { kind: 'none' }, note: 'Before a restore' });
    const [last] = await test.stores.audit.list({ limit: 1 });
    expect(last).toMatchObject({ action: 'backup.restore', actor: 'root', target: file });
  });

  it('does not begin where the audit can not be written', async () => {
    const { plan } = await planned();
    const { ofHost } = test.backups.calls.restores;
    if (ofHost === undefined) expect.fail('there is no host');
    const begin = vi.spyOn(ofHost, 'begin');
    vi.spyOn(test.stores.audit, 'add').mockRejectedValueOnce(new Error('the database is away'));
    const body = { plan, title: TITLE, password: PASSWORD, keep: KEEP };
    expect((await ask('POST', RESTORE, body)).statusCode).toBe(500);
    expect(begin).not.toHaveBeenCalled();
  });

  it('does not begin once the file has gone', async () => {
    const { plan, file } = await planned();
    await rm(test.backups.calls.folder.pathOf(file));
    const body = { plan, title: TITLE, password: PASSWORD, keep: KEEP };
    expect(await answerOf(ask('POST', RESTORE, body))).toEqual([404, 'backup-file-missing']);
    expect(test.backups.restores.begun).toEqual([]);
  });

  it('waits for a backup that runs, and for other gateways to be stopped', async () => {
    const { plan } = await planned();
    const body = { plan, title: TITLE, password: PASSWORD, keep: KEEP };
    test.backups.restores.otherGateways = ['depot-2'];
    expect(await answerOf(ask('POST', RESTORE, body))).toEqual([409, 'other-gateways']);
    test.backups.restores.otherGateways = [];
    const { promise, open } = createGate();
    test.backups.gate.opened = promise;
    await ask('POST', '/api/backup/backups', { note: '' });
    expect(await answerOf(ask('POST', RESTORE, body))).toEqual([409, 'backup-running']);
    open();
  });

  it('runs dry one at a time, and ends when it is canceled', async () => {
    const { id } = await make();
    const { promise, open } = createGate();
    test.backups.gate.opened = promise;
    expect((await ask('POST', PLAN, { backup: id, key: '' })).statusCode).toBe(200);
    expect(await state()).toMatchObject({ dryRun: { state: 'running', rows: 0, plan: null } });
    expect(await answerOf(ask('POST', PLAN, { backup: id, key: '' }))).toEqual([409, 'dry-run-running']);
    const dropped = ask('DELETE', PLAN);
    open();
    expect((await dropped).statusCode).toBe(200);
    expect(await state()).toEqual({ dryRun: null, last: null });
  });

  it('says why a dry run failed', async () => {
    const { id } = await make();
    test.backups.restores.outcome = { ok: false, fault: 'newer-schema', detail: 'schema 99' };
    await ask('POST', PLAN, { backup: id, key: '' });
    await waitFor('the fault', state, ({ dryRun }) => dryRun.state === 'failed');
    expect(await state()).toMatchObject({ dryRun: { fault: 'newer-schema', plan: null } });
  });

  it('takes the key that the backup was made with, or the one that is given', async () => {
    const passphrase = 'a long enough passphrase';
    const values = { ...FIRST_PLAN.values, version: 1, encryption: 'passphrase', newRecoveryKey: false };
    await ask('PUT', '/api/backup/plan', { ...values, passphrase, password: PASSWORD });
    const { id } = await make();
    expect((await ask('POST', PLAN, { backup: id, key: '' })).statusCode).toBe(200);
    await waitFor('a dry run', state, ({ dryRun }) => dryRun.state === 'ready');
    expect(test.backups.calls.restores.dryRuns.current?.source.key).toEqual({ kind: 'passphrase', passphrase });
    await ask('POST', PLAN, { backup: id, key: 'another passphrase' });
    await waitFor('a dry run', state, ({ dryRun }) => dryRun.state === 'ready');
    const key = { kind: 'passphrase', passphrase: 'another passphrase' };
    expect(test.backups.calls.restores.dryRuns.current?.source.key).toEqual(key);
  });

  it('is told of afterwards', async () => {
    const last = {
      ...{ file: 'fleetglass-20261127-020000-abcdef.fgb', createdAtMs: wallMs(1), by: 'root', endedAtMs: wallMs(2) },
      ...{ durationMs: 41_000, fault: 'start-failed' as const, kept: null },
    };
    test.backups.restores.last = last;
    expect(await state()).toEqual({ dryRun: null, last });
  });

  it('needs every permission: an archive may have been edited to give its owner more of them', async () => {
    const { plan, id } = await planned();
    await test.addUser('clerk', [Permission.System, Permission.SystemBackup]);
    await test.addUser(
      'nearly',
      ALL_PERMISSIONS.filter((each) => each !== Permission.Netflow),
    );
    for (const name of ['clerk', 'nearly']) {
      const headers = { cookie: await test.signIn(name) };
      const calls = [
        { method: 'POST', url: PLAN, body: { backup: id, key: '' } },
        { method: 'DELETE', url: PLAN },
        { method: 'POST', url: RESTORE, body: { plan, title: TITLE, password: PASSWORD, keep: KEEP } },
      ] as const;
      for (const call of calls) expect((await test.request({ ...call, headers })).statusCode).toBe(403);
      // The preview names devices and members of all groups.
      const read = await test.request({ url: RESTORE, headers });
      expect([read.statusCode, read.json().data]).toEqual([200, { dryRun: null, last: null }]);
    }
    expect((await state()).dryRun.state).toBe('ready');
    expect(test.backups.restores.begun).toEqual([]);
  });

  it('is for holders of both permissions alone', async () => {
    const { plan, id } = await planned();
    await test.addUser('half', [Permission.System, Permission.Version]);
    await test.addUser('other', [Permission.SystemBackup]);
    for (const name of ['half', 'other']) {
      const headers = { cookie: await test.signIn(name) };
      const calls = [
        { url: RESTORE },
        { method: 'POST', url: PLAN, body: { backup: id, key: '' } },
        { method: 'DELETE', url: PLAN },
        { method: 'POST', url: RESTORE, body: { plan, title: TITLE, password: PASSWORD, keep: KEEP } },
        { method: 'POST', url: '/api/backup/uploaded', body: { upload: '0'.repeat(32) } },
      ] as const;
      for (const call of calls) expect((await test.request({ ...call, headers })).statusCode).toBe(403);
    }
  });
});
