import { readSheet } from 'read-excel-file/node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { senderFields } from '../../../support/notify/aSenderRecord.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const FROM_MS = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;

let app: TestApp;
let depot: number;
let elsewhere: number;
let ann: number;
let cookie: string;
beforeEach(async () => {
  app = await createTestApp();
  const add = async (name: string, deviceId: string) => {
    const deviceGroup = await app.stores.deviceGroups.insert(name);
    const memberGroup = await app.stores.memberGroups.insert({ name });
    await app.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    await app.stores.devices.insert({ deviceId, name: `Name of ${deviceId}`, chn: 1, deviceGroup });
    return memberGroup;
  };
  depot = await add('Depot', 'BUS1');
  elsewhere = await add('Elsewhere', 'TAXI');
  ann = await app.addUser('ann', [Permission.Report], [depot]);
  cookie = await app.signIn('ann');
  const devices = await app.db.selectFrom('device').select('incarnation').where('device_id', '=', 'BUS1').execute();
  const counts = Array.from({ length: 5 }, (_, at) => ({
    incarnation: devices[0]?.incarnation ?? 0,
    from_ms: FROM_MS + at * HOUR_MS,
    to_ms: FROM_MS + (at + 1) * HOUR_MS,
    boarded: at,
    alighted: 0,
  }));
  await app.db.insertInto('passenger_count').values(counts).execute();
});
afterEach(() => app.close());

const PARAMETERS = reportParameters({ fromMs: FROM_MS, toMs: FROM_MS + 24 * HOUR_MS });

const get = (url: string, as = cookie) => app.request({ url, headers: { cookie: as } });
const post = (url: string, body: object | undefined, as = cookie) =>
  app.request({ method: 'POST', url, headers: { cookie: as }, ...(body === undefined ? {} : { body }) });

async function run(parameters = PARAMETERS): Promise<number> {
  const answer = await post('/api/report/jobs', { kind: 'passengers', parameters });
  expect(answer.statusCode, answer.body).toBe(200);
  const { id } = answer.json().data;
  await waitFor('the report', async () => (await app.stores.reportJobs.get(id))?.state === 'done');
  return id;
}

it('kinds are those that the member may have', async () => {
  const kinds = (await get('/api/report/kinds')).json().data.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toContain('trips');
  expect(kinds).not.toContain('audit');
  expect(kinds).not.toContain('speeding');
  expect((await post('/api/report/jobs', { kind: 'audit', parameters: PARAMETERS })).statusCode).toBe(403);
  await app.addUser('carl', [], [depot]);
  expect((await get('/api/report/kinds', await app.signIn('carl'))).statusCode).toBe(403);
});

it.each([
  ['netflow', Permission.Netflow],
  ['firmware', Permission.FirmwareUpdate],
  ['sync', Permission.Datasync],
])('S-2.4.6: the kind %s takes the permission %s too', async (kind, permission) => {
  const upkeep = ['netflow', 'firmware', 'sync'];
  await app.addUser('dora', [Permission.Report, permission], [depot]);
  const dora = await app.signIn('dora');
  const kinds = (await get('/api/report/kinds', dora)).json().data.map((info: { kind: string }) => info.kind);
  expect(kinds.filter((each: string) => upkeep.includes(each))).toEqual([kind]);
  for (const each of upkeep) {
    const answer = await post('/api/report/jobs', { kind: each, parameters: PARAMETERS }, dora);
    expect(answer.statusCode, each).toBe(each === kind ? 200 : 403);
  }
});

it('a result is a table in pages both ways, sorted and searched, and a chart', async () => {
  const id = await run();
  const page = async (query: string) => (await get(`/api/report/result?job=${id}${query}`)).json().data;
  const boarded = (data: { rows: { values: number[] }[] }) => data.rows.map(({ values }) => values[3]);
  const first = await page('&sort=boarded&descending=true&limit=2');
  expect(first).toMatchObject({ total: 5, hidden: 0, previous: null });
  expect(boarded(first)).toEqual([4, 3]);
  const second = await page(`&sort=boarded&descending=true&limit=2&after=${first.next}`);
  expect(boarded(second)).toEqual([2, 1]);
  expect(boarded(await page(`&sort=boarded&descending=true&limit=2&before=${second.previous}`))).toEqual([4, 3]);
  expect((await page('&search=name of bus')).total).toBe(5);
  expect((await page('&search=nothing')).total).toBe(0);
  expect((await get(`/api/report/result?job=${id}&sort=nothing`)).statusCode).toBe(400);
  const chart = (await get(`/api/report/chart?job=${id}`)).json().data;
  expect(chart).toEqual([{ by: 'BUS1', value: 10 }]);
});

it('a report belongs to its maker alone, in the member group that it was made in', async () => {
  const id = await run();
  await app.addUser('bob', [Permission.Report], [depot]);
  const bob = await app.signIn('bob');
  const paths = [`/api/report/jobs/${id}`, `/api/report/result?job=${id}`, `/api/report/chart?job=${id}`];
  for (const path of paths) expect((await get(path, bob)).statusCode, path).toBe(404);
  for (const act of ['again', 'cancel'])
    expect((await post(`/api/report/jobs/${id}/${act}`, undefined, bob)).statusCode, act).toBe(404);
  const file = { job: id, format: 'csv', language: 'en', timeZone: 'UTC' };
  expect((await post('/api/report/file', file, bob)).statusCode).toBe(404);
  await app.stores.memberGroups.setGroupsOfUser(ann, [depot, elsewhere]);
  await app.db.updateTable('session').set({ member_group: elsewhere }).where('user_id', '=', ann).execute();
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(404);
  expect((await get('/api/report/jobs')).json().data.rows).toEqual([]);
  await app.db.updateTable('session').set({ member_group: depot }).where('user_id', '=', ann).execute();
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(200);
});

it('what the reader may no longer see is hidden, in the table, the chart and files', async () => {
  const id = await run();
  await app.db.updateTable('device').set({ disabled: 1 }).where('device_id', '=', 'BUS1').execute();
  const result = (await get(`/api/report/result?job=${id}`)).json().data;
  expect(result).toMatchObject({ total: 0, rows: [], hidden: 5 });
  expect((await get(`/api/report/chart?job=${id}`)).json().data).toEqual([]);
  const body = { job: id, format: 'csv', language: 'en', timeZone: 'UTC' };
  const { address } = (await post('/api/report/file', body)).json().data;
  expect((await app.request({ url: address })).body.trim().split('\r\n')).toHaveLength(1);
});

it('files have names, real dates and numbers, and are noted in the audit log', async () => {
  const id = await run();
  const fetch = async (format: string, language: string) => {
    const body = { job: id, format, language, timeZone: 'Europe/Berlin' };
    const { address } = (await post('/api/report/file', body)).json().data;
    return app.request({ url: address });
  };
  const csv = (await fetch('csv', 'jp')).body;
  expect(csv).toContain('デバイス,開始,終了,乗車人数,降車人数');
  expect(csv).toContain('Name of BUS1,2026-11-01 01:00:00,2026-11-01 02:00:00,0,0');
  const [head, , second] = await readSheet((await fetch('xlsx', 'en')).rawPayload);
  expect(head).toEqual(['Device', 'Start', 'End', 'Boarded', 'Alighted']);
  const [from, to] = [new Date(Date.UTC(2026, 10, 1, 2)), new Date(Date.UTC(2026, 10, 1, 3))];
  expect(second).toEqual(['Name of BUS1', from, to, 1, 0]);
  const actions = await app.db.selectFrom('audit').select('action').where('action', 'like', 'report.%').execute();
  expect(actions.map(({ action }) => action)).toEqual(['report.run', 'report.file', 'report.file']);
});

it('files say in megabytes what was transferred', async () => {
  await app.addUser('dora', [Permission.Report, Permission.Netflow], [depot]);
  const dora = await app.signIn('dora');
  const { incarnation } = await app.db
    .selectFrom('device')
    .select('incarnation')
    .where('device_id', '=', 'BUS1')
    .executeTakeFirstOrThrow();
  const use = { hourMs: FROM_MS + 12 * HOUR_MS, received: [1_000_000], sent: [234_567] };
  await app.stores.netflowUse.write([{ incarnation, ...use }], []);
  const { id } = (await post('/api/report/jobs', { kind: 'netflow', parameters: PARAMETERS }, dora)).json().data;
  await waitFor('the report', async () => (await app.stores.reportJobs.get(id))?.state === 'done');
  const body = { job: id, format: 'xlsx', language: 'en', timeZone: 'Europe/Berlin' };
  const { address } = (await post('/api/report/file', body, dora)).json().data;
  const [head, first] = await readSheet((await app.request({ url: address })).rawPayload);
  expect(head?.slice(0, 3)).toEqual(['Device', 'Date', 'Signaling (MB)']);
  expect([first?.[2], first?.[11]]).toEqual([1.284, 1.284]);
});

it('a report that is not possible is refused with the reason', async () => {
  const ask = (changes: object) =>
    post('/api/report/jobs', { kind: 'trips', parameters: { ...PARAMETERS, ...changes } });
  expect((await ask({ devices: ['TAXI'] })).statusCode).toBe(404);
  expect((await ask({ deviceGroups: [999_999] })).json().data.fields).toEqual({ deviceGroups: 'unknown' });
  expect((await ask({ timeZone: 'Mars/Olympus' })).json().data.fields).toEqual({ timeZone: 'unknown' });
  expect((await ask({ toMs: FROM_MS + 368 * 24 * HOUR_MS })).json().data.fields).toEqual({ toMs: 'out-of-range' });
});

it('schedules belong to their maker, say when they run next, and are kept by version', async () => {
  const added = await app.stores.notifySenders.insert(senderFields());
  const content = {
    name: 'Monday',
    enabled: true,
    kind: 'trips',
    parameters: reportParameters({ period: 'last-week' }),
    every: 'weekly',
    weekday: 1,
    monthDay: 0,
    minuteOfDay: 360,
    format: 'xlsx',
    language: 'en',
    sender: added.ok ? added.value.id : 0,
    recipients: ['boss@example.com'],
  };
  const senders = (await get('/api/report/senders')).json().data;
  expect(senders).toEqual([{ id: content.sender, name: 'Mail', enabled: true }]);
  const saved = await post('/api/report/schedules', content);
  expect(saved.statusCode, saved.body).toBe(200);
  const schedule = saved.json().data;
  expect(new Date(schedule.nextRunAtMs).getUTCDay()).toBe(1);
  const bad = await post('/api/report/schedules', { ...content, recipients: ['no address'], weekday: 0 });
  expect(bad.json().data.fields).toEqual({ recipients: 'bad-format', weekday: 'out-of-range' });
  await app.addUser('bob', [Permission.Report], [depot]);
  const bob = await app.signIn('bob');
  expect((await get(`/api/report/schedules/${schedule.id}`, bob)).statusCode).toBe(404);
  expect((await get('/api/report/schedules', bob)).json().data.rows).toEqual([]);
  const url = `/api/report/schedules/${schedule.id}`;
  const put = (version: number, as = cookie) =>
    app.request({
      method: 'PUT',
      url,
      headers: { cookie: as },
      body: { ...content, name: 'Tuesday', weekday: 2, version },
    });
  const remove = { method: 'DELETE', url: `${url}?version=1`, headers: { cookie: bob } } as const;
  expect([(await put(1, bob)).statusCode, (await app.request(remove)).statusCode]).toEqual([404, 404]);
  const ofOthers = { ...content, parameters: { ...content.parameters, devices: ['TAXI'] } };
  expect((await post('/api/report/schedules', ofOthers)).statusCode).toBe(404);
  expect((await put(1)).json().data).toMatchObject({ name: 'Tuesday', version: 2 });
  expect((await put(1)).statusCode).toBe(409);
});
