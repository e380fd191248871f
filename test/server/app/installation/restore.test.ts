// A site that is restored from its own page, and from a file of another machine.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loadArchive } from '../../../../server/backup/archive/loadArchive.ts';
import { FIRST_PLAN } from '../../../../server/backup/plan/planText.ts';
import { ServerSetting } from '../../../../server/http/system/serverSettings.ts';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import type { Backup, BackupList } from '../../../../shared/protocol/api/system/backups.ts';
import type { RestoreState } from '../../../../shared/protocol/api/system/restore.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aRun, succeeded } from '../../../support/backup/archives.ts';
import {
  type RestoredSite,
  type Session,
  SITE_PASSWORD,
  SITE_TITLE,
  startRestoredSite,
} from '../../../support/backup/restoredSite.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { waitFor } from '../../../support/waitFor.ts';

const KEEP = { disabled: true, passwords: true, links: true, history: true };
const PASSPHRASE = 'a passphrase for the depot';

const closing: (() => Promise<void>)[] = [];

async function start(): Promise<Depot> {
  const folder = await createTempFolder();
  const site = await startRestoredSite(folder.path);
  closing.push(async () => {
    await site.close();
    await folder.remove();
  });
  return { ...site, dataDir: folder.path, chief: await site.signIn('chief') };
}

const list = (chief: Session) => chief.data<BackupList>('GET', '/api/backup/backups');

async function backUp(chief: Session): Promise<Backup> {
  const { id } = await chief.data<Backup>('POST', '/api/backup/backups', { note: 'of the morning' });
  const { backups } = await waitFor(
    'a tested backup',
    () => list(chief),
    ({ running, backups: all }) => running === null && all.find((each) => each.id === id)?.test.state === 'passed',
  );
  return backups.find((each) => each.id === id) ?? expect.fail();
}

async function planned(chief: Session, backup: number, key = ''): Promise<string> {
  await chief.data('POST', '/api/backup/restore/plan', { backup, key });
  const { dryRun } = await waitFor(
    'a dry run',
    () => chief.data<RestoreState>('GET', '/api/backup/restore'),
    (state) => state.dryRun?.state !== 'running',
  );
  return dryRun?.plan?.id ?? expect.fail(JSON.stringify(dryRun));
}

/** Gives a session of the new state, and what became of the restore. */
async function restored(site: RestoredSite & { readonly chief: Session }, plan: string) {
  const body = { plan, title: SITE_TITLE, password: SITE_PASSWORD, keep: KEEP };
  const askedAtMs = Date.now();
  await site.chief.data('POST', '/api/backup/restore', body);
  const chief = await waitFor('the gateway again', async () => {
    const session = await site.signIn('chief');
    const { last } = await session.data<RestoreState>('GET', '/api/backup/restore');
    if (last === null || last.endedAtMs < askedAtMs) throw new Error('it is not over');
    return session;
  });
  const { last } = await chief.data<RestoreState>('GET', '/api/backup/restore');
  return { chief, last };
}

async function addMember({ stores }: Pick<RestoredSite, 'stores'>, username: string): Promise<number> {
  const permissions = [Permission.Version];
  return stores().users.insert({ username, passwordHash: 'none', permissions }, wallMs(Date.now()));
}

interface Depot extends RestoredSite {
  readonly dataDir: string;
  readonly chief: Session;
}

let depot: Depot;
/** Made when `mei` was a member. */
let backup: Backup;
let bytes: Buffer;
beforeAll(async () => {
  depot = await start();
  await addMember(depot, 'mei');
  const values = { ...FIRST_PLAN.values, version: 1, encryption: 'passphrase', newRecoveryKey: false };
  await depot.chief.data('PUT', '/api/backup/plan', { ...values, passphrase: PASSPHRASE, password: SITE_PASSWORD });
  backup = await backUp(depot.chief);
  bytes = await readFile(join(depot.dataDir, 'backups', backup.file));
});
afterAll(async () => {
  for (const close of closing) await close();
});

it('goes on as it was when its present state can’t be backed up, and is else as it was at the time of the backup (S-2.4.19)', async () => {
  const { stores, chief, dataDir } = depot;
  const mei = (await stores().users.findByName('mei')) ?? expect.fail();
  await stores().users.remove(mei.id);
  await addMember(depot, 'kim');
  await stores().settings.set(ServerSetting.LiveLayout, '9');
  const plan = await planned(chief, backup.id);
  // The plan asks for a key that nobody can open.
  const text = (await stores().settings.get('backup.plan')) ?? '';
  await stores().settings.set('backup.plan', text.replace(/v1\.[^"]+/, 'v1.AAAA'));
  const failed = await restored(depot, plan);
  expect(failed.last).toMatchObject({ fault: 'backup-failed', kept: null });
  expect(await stores().users.findByName('kim')).toMatchObject({ username: 'kim' });
  await stores().settings.set('backup.plan', text);

  const again = { ...depot, chief: failed.chief };
  const after = await restored(again, await planned(again.chief, backup.id));
  expect(after.last).toMatchObject({ file: backup.file, by: 'chief', fault: '', kept: { revokedLinks: { count: 0 } } });
  expect(await stores().users.findByName('mei')).toMatchObject({ username: 'mei' });
  expect(await stores().users.findByName('kim')).toBeUndefined();
  expect(await stores().settings.get(ServerSetting.LiveLayout)).toBeUndefined();
  // The session that asked for it has ended, and the list knows both backups.
  expect(await again.chief.status('GET', '/api/backup/backups')).toBe(401);
  const { backups } = await list(after.chief);
  const [present] = backups;
  expect(backups.map(({ note, state }) => [note, state])).toContainEqual(['of the morning', 'done']);
  expect(present).toMatchObject({ note: 'Before a restore', state: 'done' });
  expect(await auditOf(depot)).toEqual([
    ...['backup.plan', 'backup.make', 'backup.tested', 'backup.restore', 'backup.restorefailed'],
    ...['backup.restore', 'backup.make', 'backup.restored'],
  ]);
  expect(await membersIn(join(dataDir, 'backups', present?.file ?? ''))).toEqual(['chief', 'kim']);
});

it('is restored from the file of another site', async () => {
  const site = await start();
  const damaged = await upload(site.chief, Buffer.concat([Buffer.from('no '), bytes]));
  expect(await site.chief.status('POST', '/api/backup/uploaded', { upload: damaged })).toBe(422);
  const whole = await upload(site.chief, bytes);
  const taken = await site.chief.data<Backup>('POST', '/api/backup/uploaded', { upload: whole });
  const { backups } = await waitFor(
    'a backup that was taken over',
    () => list(site.chief),
    ({ running }) => running === null,
  );
  const shown = { id: taken.id, isUploaded: true, encryption: 'passphrase', bytes: bytes.length, state: 'done' };
  expect(backups).toMatchObject([shown]);
  const keyless = { backup: taken.id, key: '' };
  expect(await site.chief.status('POST', '/api/backup/restore/plan', keyless)).toBe(422);
  const { last } = await restored(site, await planned(site.chief, taken.id, PASSPHRASE));
  expect(last).toMatchObject({ fault: '' });
  expect(await site.stores().users.findByName('mei')).toMatchObject({ username: 'mei' });
});

/** What was backed up before a restore can be restored as well. */
async function membersIn(path: string): Promise<readonly string[]> {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  const database = { engine: 'sqlite', file: join(folder.path, 'loaded.db') } as const;
  succeeded(await loadArchive({ path, key: { kind: 'passphrase', passphrase: PASSPHRASE }, database }, aRun()));
  const { db, close } = await openDatabase(database);
  const rows = await db.selectFrom('app_user').select('username').orderBy('username').execute().finally(close);
  return rows.map(({ username }) => username);
}

async function upload(chief: Session, bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const begin = { purpose: 'backup', bytes: bytes.length, sha256 };
  const { id } = await chief.data<{ readonly id: string }>('POST', '/api/upload/begin', begin);
  await chief.data('POST', `/api/upload/part?id=${id}&offset=0`, new Uint8Array(bytes));
  return id;
}

async function auditOf({ stores }: Pick<RestoredSite, 'stores'>): Promise<readonly string[]> {
  const page = await stores().audit.page({
    ...{ sort: 'at', descending: false, limit: 50, position: { at: 'offset', offset: 0 }, search: '' },
  });
  return (page?.rows ?? []).map(({ action }) => action).filter((action) => action.startsWith('backup.'));
}
