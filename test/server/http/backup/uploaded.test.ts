// Archives that are handed in at the calls: what is refused at once, what the audit has, and that a key is nowhere.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAGIC } from '../../../../server/backup/archive/head.ts';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { NEWEST_SCHEMA } from '../../../../server/store/backup/migrateHere.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { aRun, aWriteTask } from '../../../support/backup/archives.ts';
import { craftedArchive } from '../../../support/backup/craftedArchive.ts';
import { createGate } from '../../../support/gate.ts';
import { openForThreads } from '../../store/testDatabase.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const PATH = '/api/backup/backups';
const UPLOADED = '/api/backup/uploaded';
const PASSPHRASE = 'a long enough passphrase';

let test: TestApp;
let cookie: string;
beforeEach(async () => {
  test = await createTestApp();
  await test.addUser('root', [Permission.System, Permission.SystemBackup]);
  cookie = await test.signIn('root');
});
afterEach(async () => {
  await test.backups.idle();
  await test.close();
});

const ask = (method: 'GET' | 'POST', url: string, body?: object) =>
  test.request({ method, url, headers: { cookie }, ...(body && { body }) });

async function anArchive(): Promise<Buffer> {
  const { folder, location } = await openForThreads('sqlite');
  const task = aWriteTask(location, folder, { key: { kind: 'passphrase', passphrase: PASSPHRASE }, note: 'depot' });
  await writeArchive(task, aRun());
  return readFile(task.path);
}

async function upload(bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const begun = await ask('POST', '/api/upload/begin', { purpose: 'backup', bytes: bytes.length, sha256 });
  const { id } = begun.json().data;
  const headers = { cookie, 'content-type': 'application/octet-stream' };
  const part = { method: 'POST', url: `/api/upload/part?id=${id}&offset=0`, headers, body: bytes } as const;
  expect((await test.request(part)).statusCode).toBe(200);
  return id;
}

const answerOf = async (asked: ReturnType<typeof ask>) => {
  const answer = await asked;
  return [answer.statusCode, answer.json().code];
};

it('one is taken in the background, and tested with a key that nobody keeps', async () => {
  const { promise, open } = createGate();
  test.backups.gate.opened = promise;
  const taken = await ask('POST', UPLOADED, { upload: await upload(await anArchive()) });
  const { id, file } = taken.json().data;
  expect(taken.json().data).toMatchObject({ state: 'running', isUploaded: true, note: 'depot', rows: 0 });
  expect((await ask('GET', PATH)).json().data.running).toMatchObject({ id, does: 'take' });
  expect(await answerOf(ask('POST', UPLOADED, { upload: '0'.repeat(32) }))).toEqual([409, 'backup-running']);
  open();
  await test.backups.idle();
  expect((await ask('GET', PATH)).json().data.backups).toMatchObject([{ id, state: 'done', rows: 0 }]);

  for (const [key, fault] of [
    ['', 'required'],
    ['another passphrase', 'wrong-key'],
  ] as const) {
    const refused = await ask('POST', `${PATH}/${id}/test`, { key });
    expect([refused.statusCode, refused.json().data.fields]).toEqual([422, { key: fault }]);
  }
  expect((await ask('POST', `${PATH}/${id}/test`, { key: PASSPHRASE })).statusCode).toBe(200);
  await test.backups.idle();
  expect((await ask('GET', PATH)).json().data.backups).toMatchObject([{ id, test: { state: 'passed' } }]);

  const page = await test.stores.audit.page({
    ...{ sort: 'at', descending: false, limit: 50, position: { at: 'offset', offset: 0 }, search: '' },
  });
  const rows = (page?.rows ?? []).filter(({ action }) => action.startsWith('backup.'));
  expect(rows.map(({ action, target }) => [action, target])).toEqual([
    ['backup.upload', file],
    ['backup.test', file],
    ['backup.tested', file],
  ]);
  const kept = JSON.stringify([rows, await test.stores.backups.list(), await test.stores.settings.getAll()]);
  expect(kept).not.toContain(PASSPHRASE);
});

it('one of something else is refused at once, and stays out of the list', async () => {
  const whole = await anArchive();
  const foreign = await upload(Buffer.concat([Buffer.from('no '), whole]));
  expect(await answerOf(ask('POST', UPLOADED, { upload: foreign }))).toEqual([422, 'not-a-backup']);
  const cut = await upload(whole.subarray(0, 20));
  expect(await answerOf(ask('POST', UPLOADED, { upload: cut }))).toEqual([422, 'not-a-backup']);
  expect(await answerOf(ask('POST', UPLOADED, { upload: '0'.repeat(32) }))).toEqual([404, 'no-such-upload']);
  expect((await ask('GET', PATH)).json().data.backups).toEqual([]);
});

it('one of a newer version is refused at once, and stays out of the list', async () => {
  const newerSchema = await craftedArchive([], { schemaVersion: NEWEST_SCHEMA + 1 });
  const newerFormat = await craftedArchive([]);
  newerFormat.writeUInt16BE(newerFormat.readUInt16BE(MAGIC.length) + 1, MAGIC.length);
  for (const archive of [newerSchema, newerFormat]) {
    expect(await answerOf(ask('POST', UPLOADED, { upload: await upload(archive) }))).toEqual([422, 'newer-backup']);
  }
  expect((await ask('GET', PATH)).json().data.backups).toEqual([]);
});

it('one whose end is missing is taken, and failed in the list', async () => {
  const taken = await ask('POST', UPLOADED, { upload: await upload((await anArchive()).subarray(0, -1)) });
  expect(taken.statusCode).toBe(200);
  await test.backups.idle();
  expect((await ask('GET', PATH)).json().data.backups).toMatchObject([{ state: 'failed', fault: 'truncated' }]);
});
