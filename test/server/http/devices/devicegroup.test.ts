// The calls of /api/devicegroup, as an administrator of one member group makes them.
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetting } from '../../../../server/http/system/serverSettings.ts';
import type { ImportPlan } from '../../../../shared/protocol/api/deviceImport.ts';
import type { CommonRecording, RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { BLANK_DEVICE, type DeviceDetail, type DeviceFields } from '../../../../shared/protocol/api/devices.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const PERMISSIONS = ['system', 'devicegroup'];
const BASE = '/api/devicegroup';
const FIELDS: DeviceFields = {
  ...BLANK_DEVICE,
  name: 'Bus 1',
  plate: 'ABC-1',
  chn: 2,
  channelNames: ['Front', 'Door'],
  installchs: '11',
  ptzchs: '00',
  talkchs: '10',
  icon: 'bus',
};

let test: TestApp;
let own: number;
let foreign: number;
let cookie: string;

beforeEach(async () => {
  test = await createTestApp();
  const { stores } = test;
  own = await stores.deviceGroups.insert('Own');
  foreign = await stores.deviceGroups.insert('Foreign');
  const mine = await stores.memberGroups.insert({ name: 'Mine' });
  const theirs = await stores.memberGroups.insert({ name: 'Theirs' });
  await stores.memberGroups.setDeviceGroups(mine, [own]);
  await stores.memberGroups.setDeviceGroups(theirs, [foreign]);
  await test.addUser('chief', PERMISSIONS, [mine]);
  cookie = await test.signIn('chief');
  await stores.devices.insert({ deviceId: 'THEIRS', name: 'Theirs', chn: 1, deviceGroup: foreign });
});
afterEach(() => test.close());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const call = (method: Method, path: string, body?: object | Buffer, headers: Record<string, string> = {}) =>
  test.request({
    method,
    url: `${BASE}${path}`,
    headers: { cookie, ...headers },
    ...(body === undefined ? {} : { body }),
  });
const data = <T>(response: LightMyRequestResponse): T => {
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ data: T }>().data;
};
const refusal = (response: LightMyRequestResponse) => {
  const { code, data: more } = response.json<{ code: string; data?: unknown }>();
  return [response.statusCode, code, more];
};
const addDevice = async (deviceid: string, more: Partial<DeviceFields> = {}) =>
  data<DeviceDetail>(await call('POST', '/devices', { deviceid, ...FIELDS, group: own, ...more }));
const lastAudit = async () => (await test.stores.audit.list({ limit: 1 }))[0];

describe('groups', () => {
  it('are those of the own member group and of nobody, with what lies in them', async () => {
    await addDevice('A');
    const orphan = await test.stores.deviceGroups.insert('Orphan');
    const tree = data(await call('GET', '/groups'));
    expect(tree).toEqual({
      memberGroup: { serialno: expect.any(Number), name: 'Mine' },
      groups: [
        { id: own, name: 'Own', parent: null, version: 1, devices: 1, owned: true },
        { id: orphan, name: 'Orphan', parent: null, version: 1, devices: 0, owned: false },
      ],
      ungrouped: 0,
    });
  });

  it('are added, renamed, moved and deleted, each with its audit', async () => {
    const under = data<{ id: number }>(await call('POST', '/groups', { name: ' Depot ', parent: own }));
    expect(under).toMatchObject({ name: 'Depot', parent: own });
    expect(await lastAudit()).toMatchObject({ actor: 'chief', action: 'devicegroup.add', target: 'Depot' });
    const renamed = { name: 'Yard', parent: null, version: 1 };
    expect(data(await call('PUT', `/groups/${under.id}`, renamed))).toMatchObject({ name: 'Yard', parent: null });
    const sides = { before: { name: 'Depot', parent: 'Own' }, after: { name: 'Yard', parent: '' } };
    expect(await lastAudit()).toMatchObject({ action: 'devicegroup.change', ...sides });
    const stale = await call('PUT', `/groups/${under.id}`, { ...renamed, name: 'Late' });
    expect(refusal(stale)).toEqual([
      409,
      'conflict',
      { current: expect.objectContaining({ name: 'Yard', version: 2 }) },
    ]);
    expect(data(await call('DELETE', `/groups/${under.id}?version=2`))).toEqual({ moved: 0 });
  });

  it('are deleted with devices in them only when it is said where those go', async () => {
    await addDevice('A');
    const other = data<{ id: number }>(await call('POST', '/groups', { name: 'Other', parent: null })).id;
    expect(refusal(await call('DELETE', `/groups/${own}?version=1`))).toEqual([409, 'not-empty', undefined]);
    const outside = await call('DELETE', `/groups/${own}?version=1&moveto=${foreign}`);
    expect(refusal(outside)).toEqual([422, 'bad-fields', { fields: { moveto: 'unknown' } }]);
    expect(data(await call('DELETE', `/groups/${own}?version=1&moveto=${other}`))).toEqual({ moved: 1 });
    expect(data(await call('GET', '/devices/A'))).toMatchObject({ group: other, version: 2 });
  });

  it('of others are as if they were not there', async () => {
    expect(refusal(await call('PUT', `/groups/${foreign}`, { name: 'x', parent: null, version: 1 }))[0]).toBe(404);
    expect(refusal(await call('DELETE', `/groups/${foreign}?version=1`))[0]).toBe(404);
    expect(refusal(await call('POST', `/groups/${foreign}/claim`))[0]).toBe(404);
    const under = await call('POST', '/groups', { name: 'x', parent: foreign });
    expect(refusal(under)).toEqual([422, 'bad-fields', { fields: { parent: 'unknown' } }]);
  });

  it('refuse a name that is empty or taken, by its field', async () => {
    const add = async (name: string) => refusal(await call('POST', '/groups', { name, parent: null }));
    expect(await add('  ')).toEqual([422, 'bad-fields', { fields: { name: 'required' } }]);
    expect(await add('Own')).toEqual([422, 'bad-fields', { fields: { name: 'taken' } }]);
    // Whether others have a group of that name is not for this administrator to know.
    expect((await call('POST', '/groups', { name: 'Foreign', parent: null })).statusCode).toBe(200);
  });
});

describe('devices', () => {
  it('are added with every field and read again', async () => {
    const policy = { mode: 'ignition', quality: 'sub', schedule: [], retentionDays: 9 };
    const recording = { device: policy, channels: [{ channel: 2, policy: { ...policy, mode: 'off' } }] };
    const fields = { ...FIELDS, group: own, terminal: '013800000001', timeZone: 'Asia/Tokyo', notes: 'a\nb' };
    const added = data<DeviceDetail>(await call('POST', '/devices', { deviceid: '台北 1', ...fields, recording }));
    const read = data(await call('GET', `/devices/${encodeURIComponent('台北 1')}`));
    expect(read).toEqual(added);
    expect(read).toMatchObject({ ...fields, terminal: '13800000001', recording, state: 'never', version: 1 });
  });

  it('say by field what is not accepted', async () => {
    const wrong = { name: '', chn: 99, installchs: '12', timeZone: 'Mars/Base', terminal: '1.38E+10', group: foreign };
    const answer = await call('POST', '/devices', { deviceid: 'a/b', ...FIELDS, ...wrong });
    const fields = {
      deviceid: 'bad-format',
      name: 'required',
      chn: 'out-of-range',
      installchs: 'bad-format',
      timeZone: 'not-allowed',
      terminal: 'rounded',
      group: 'unknown',
    };
    expect(refusal(answer)).toEqual([422, 'bad-fields', { fields }]);
    await addDevice('A', { terminal: '7' });
    const again = await call('POST', '/devices', { deviceid: 'A', ...FIELDS, group: own });
    expect(refusal(again)).toEqual([409, 'bad-fields', { fields: { deviceid: 'taken' } }]);
    const rival = await call('POST', '/devices', { deviceid: 'B', ...FIELDS, group: own, terminal: '007' });
    expect(refusal(rival)).toEqual([409, 'bad-fields', { fields: { terminal: 'taken' } }]);
  });

  it('are changed by version, and the second of two is given what the first left', async () => {
    await addDevice('A');
    const first = { ...FIELDS, group: own, name: 'First', version: 1 };
    expect(data(await call('PUT', '/devices/A', first))).toMatchObject({ name: 'First', version: 2 });
    expect(await lastAudit()).toMatchObject({ before: { name: 'Bus 1' }, after: { name: 'First' } });
    const second = await call('PUT', '/devices/A', { ...first, name: 'Second' });
    expect(refusal(second)).toEqual([
      409,
      'conflict',
      { current: expect.objectContaining({ name: 'First', version: 2 }) },
    ]);
  });

  it('cut their terminal when it is concerned, and not for a note or a new group', async () => {
    await addDevice('A');
    const save = async (version: number, more: Partial<DeviceFields>) =>
      data(await call('PUT', '/devices/A', { ...FIELDS, group: own, version, ...more }));
    await save(1, { notes: 'n', icon: 'truck', plate: 'P' });
    expect(test.terminals.cut).toEqual([]);
    await save(2, { disabled: true });
    expect(test.terminals.cut).toEqual(['A']);
    expect(test.terminals.dropped).toEqual([]);
    await save(3, { terminal: '42' });
    expect(test.terminals.forgotten).toEqual(['A']);
    expect(test.terminals.dropped).toMatchObject([{ deviceId: 'A', version: 3 }]);
  });

  it('are deleted by version, with word to the terminal and the recorder', async () => {
    await addDevice('A');
    expect(refusal(await call('DELETE', '/devices/A?version=2&recordings=keep'))[1]).toBe('conflict');
    data(await call('DELETE', '/devices/A?version=1&recordings=delete'));
    expect(test.terminals.forgotten).toEqual(['A']);
    expect(await test.stores.deviceRecords.removals()).toEqual([
      { archiveId: expect.stringMatching(/^A@/), upToMs: test.clock.now },
    ]);
    expect(await lastAudit()).toMatchObject({ action: 'device.remove', target: 'A', detail: { recordings: true } });
  });

  it('of others are as if they were not there', async () => {
    for (const [method, path, body] of [
      ['GET', '/devices/THEIRS', undefined],
      ['PUT', '/devices/THEIRS', { ...FIELDS, group: own, version: 1 }],
      ['DELETE', '/devices/THEIRS?version=1&recordings=delete', undefined],
      ['POST', '/devices/THEIRS/test', undefined],
    ] as const) {
      expect(refusal(await call(method, path, body)).slice(0, 2), path).toEqual([404, 'no-such-device']);
    }
    expect(data(await call('POST', '/devices/move', { deviceids: ['THEIRS'], group: own }))).toEqual({ moved: 0 });
    const nothing = { total: 0, hasMoreThanTotal: false, rows: [], next: null, previous: null };
    expect(data(await call('GET', '/devices'))).toEqual(nothing);
    expect(data(await call('GET', `/devices?group=${foreign}`))).toEqual(nothing);
    expect((await test.stores.deviceRecords.find('THEIRS'))?.deviceGroup).toBe(foreign);
  });

  it('need both permissions', async () => {
    await test.addUser('half', ['devicegroup']);
    const half = await test.signIn('half');
    const answer = await test.request({ url: `${BASE}/devices`, headers: { cookie: half } });
    expect(answer.statusCode).toBe(403);
  });

  it('are listed by page, order, words, group and state', async () => {
    for (const name of ['Bus 10', 'Bus 2', 'Van 1']) await addDevice(name.replace(' ', ''), { name });
    await test.stores.devices.update('Van1', { identity: { manufacturer: 'm', terminalId: 't' } });
    test.terminals.online.set('Bus2', { onlineSinceMs: 5, lastMessageAtMs: 6 });
    const names = async (query: string) => {
      const { rows, total } = data<{ total: number; rows: DeviceDetail[] }>(await call('GET', `/devices?${query}`));
      return [total, ...rows.map(({ name }) => name)];
    };
    expect(await names('sort=name&limit=2')).toEqual([3, 'Bus 2', 'Bus 10']);
    expect(await names('sort=name&limit=2&offset=2')).toEqual([3, 'Van 1']);
    expect(await names('sort=deviceid&descending=1&search=bus')).toEqual([2, 'Bus 10', 'Bus 2']);
    expect(await names('state=online')).toEqual([1, 'Bus 2']);
    expect(await names('state=offline')).toEqual([1, 'Van 1']);
    expect(await names('state=never')).toEqual([1, 'Bus 10']);
    const under = data<{ id: number }>(await call('POST', '/groups', { name: 'Under', parent: own })).id;
    data(await call('POST', '/devices/move', { deviceids: ['Van1', 'Bus10'], group: under }));
    expect(await names(`group=${own}`)).toEqual([3, 'Bus 2', 'Bus 10', 'Van 1']);
    expect(await names(`group=${own}&nested=0`)).toEqual([1, 'Bus 2']);
    expect((await call('GET', '/devices?sort=auth_code_hash')).statusCode).toBe(400);
    expect((await call('GET', '/devices?limit=101')).statusCode).toBe(400);
  });
});

describe('the recording of all devices', () => {
  const read = async () => data<CommonRecording>(await call('GET', '/recording'));
  const always: RecordingPolicy = {
    mode: 'always',
    quality: 'sub',
    retentionDays: 12,
    schedule: [{ days: [1, 7], fromMinute: 60, toMinute: 1_440 }],
  };

  it('is as the configuration says until it is set, and then what devices inherit', async () => {
    expect(await read()).toEqual({
      policy: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
      version: 0,
    });
    expect(data(await call('PUT', '/recording', { policy: always, version: 0 }))).toEqual({
      policy: always,
      version: 1,
    });
    expect(await lastAudit()).toMatchObject({ actor: 'chief', action: 'recording.change', before: { mode: 'off' } });
    expect((await addDevice('A')).inherited).toEqual(always);
    expect((await addDevice('A2')).recording).toEqual({ device: null, channels: [] });
  });

  it('S-2.4.9 names the channels that a data plan keeps from being recorded', async () => {
    expect((await addDevice('A')).withheldChannels).toEqual([]);
    test.terminals.recordings.set('A', { withheldBits: 0b101 });
    expect(data<DeviceDetail>(await call('GET', '/devices/A')).withheldChannels).toEqual([1, 3]);
  });

  it('is not overwritten unseen, whether it was there or not', async () => {
    data(await call('PUT', '/recording', { policy: always, version: 0 }));
    const ignition = { ...always, mode: 'ignition' };
    const late = await call('PUT', '/recording', { policy: ignition, version: 0 });
    expect(refusal(late)).toEqual([409, 'conflict', { current: { policy: always, version: 1 } }]);
    expect(data(await call('PUT', '/recording', { policy: ignition, version: 1 }))).toMatchObject({ version: 2 });
    expect(refusal(await call('PUT', '/recording', { policy: always, version: 1 }))[1]).toBe('conflict');
    expect((await read()).policy).toEqual(ignition);
  });

  it('is refused with hours that no day has', async () => {
    const schedule = [{ days: [8], fromMinute: 0, toMinute: 60 }];
    expect((await call('PUT', '/recording', { policy: { ...always, schedule }, version: 0 })).statusCode).toBe(400);
    expect((await read()).version).toBe(0);
  });
});

describe('the license (N-1, S-3.3)', () => {
  const FULL = [409, 'licence-full', undefined];
  const setLimit = (devices: number) => test.stores.settings.set(ServerSetting.MaxLicense, String(devices));

  it('limits what is added, adopted and imported, counting the devices of all member groups', async () => {
    await addDevice('A');
    await setLimit(2);
    expect(refusal(await call('POST', '/devices', { deviceid: 'B', ...FIELDS, group: own }))).toEqual(FULL);
    const terminal = { canonical: '7', raw: '7'.padStart(20, '0') };
    const shown = { manufacturer: '44030', terminalId: 'T1' };
    const seen = { edition: '2019', model: 'M1', plate: 'P1', plateColour: 1, address: '192.0.2.9' } as const;
    await test.stores.unknownTerminals.note({ ...seen, ...shown, terminal }, test.clock.now);
    const adoption = { terminal: '7', ...shown, deviceid: 'B', device: { ...FIELDS, group: own } };
    expect(refusal(await call('POST', '/terminals/adopt', adoption))).toEqual(FULL);
    const csv = { 'content-type': 'text/csv' };
    const file = Buffer.from('deviceid,name,group\nA,Renamed,Own\nB,B,Own\n');
    const planned = data<ImportPlan>(await call('POST', '/import/check', file, csv));
    expect(planned.rows.map(({ outcome, faults }) => [outcome, faults.map(({ code }) => code)])).toEqual([
      ['changed', []],
      ['refused', ['licence-full']],
    ]);
    const applied = await call('POST', `/import/apply?token=${planned.token}`, file, csv);
    expect(data(applied)).toEqual({ added: 0, changed: 1, unchanged: 0, refused: 1 });

    await setLimit(3);
    data(await call('POST', '/terminals/adopt', adoption));
    expect(refusal(await call('POST', '/devices', { deviceid: 'C', ...FIELDS, group: own }))).toEqual(FULL);
    await setLimit(1);
    const changed = { ...FIELDS, group: own, name: 'Still here', version: 2 };
    expect((await call('PUT', '/devices/A', changed)).statusCode).toBe(200);
    await setLimit(0);
    await addDevice('C');
  });

  it('limits nothing by its expiry', async () => {
    await test.stores.settings.set(ServerSetting.LicenseExpiresMs, '1');
    await addDevice('A');
  });

  it('is counted again when an import is applied', async () => {
    await setLimit(2);
    const csv = { 'content-type': 'text/csv' };
    const file = Buffer.from('deviceid,name,group\nB,B,Own\n');
    const { token } = data<ImportPlan>(await call('POST', '/import/check', file, csv));
    await addDevice('A');
    expect(refusal(await call('POST', `/import/apply?token=${token}`, file, csv)).slice(0, 2)).toEqual([
      409,
      'conflict',
    ]);
    expect(await test.stores.devices.findByDeviceId('B')).toBeUndefined();
  });
});

describe('terminals that wait', () => {
  const sighting = {
    edition: '2019',
    manufacturer: '44030',
    model: 'M1',
    terminalId: 'T1',
    plate: 'P1',
    plateColour: 1,
  };
  const note = (number: string, more: object = {}) => {
    const terminal = { canonical: number, raw: number.padStart(20, '0') };
    return test.stores.unknownTerminals.note({ ...sighting, terminal, address: '192.0.2.9', ...more }, test.clock.now);
  };
  const list = async () => data<{ terminal: string; refusedAtMs: number }[]>(await call('GET', '/terminals'));
  const shown = { terminal: '7', manufacturer: '44030', terminalId: 'T1' };

  it('are adopted in one step, held to what was shown', async () => {
    await note('7');
    expect(await list()).toMatchObject([{ terminal: '7', device: null, attempts: 1, refusedAtMs: 0 }]);
    const body = { ...shown, deviceid: 'NEW', device: { ...FIELDS, group: own } };
    const other = await call('POST', '/terminals/adopt', { ...body, terminalId: 'T2' });
    expect(refusal(other).slice(0, 2)).toEqual([409, 'conflict']);
    const adopted = data(await call('POST', '/terminals/adopt', body));
    const identity = { manufacturer: '44030', terminalId: 'T1' };
    expect(adopted).toMatchObject({ deviceid: 'NEW', terminal: '7', edition: '2019', identity });
    expect(await list()).toEqual([]);
  });

  it('that were refused stay so until they show another identity', async () => {
    await note('7');
    data(await call('POST', '/terminals/refuse', shown));
    await note('7');
    expect(await list()).toMatchObject([{ refusedAtMs: test.clock.now, refusedBy: 'chief', attempts: 2 }]);
    await note('7', { terminalId: 'T2' });
    expect(await list()).toMatchObject([{ terminalId: 'T2', refusedAtMs: 0 }]);
  });

  it('with a changed identity are approved: the old code opens nothing, and the connection is cut', async () => {
    await addDevice('A', { terminal: '7' });
    await test.stores.devices.update('A', { identity: { manufacturer: 'old', terminalId: 'o' }, authCodeHash: 'x' });
    await note('7', { deviceId: 'A' });
    const device = { deviceid: 'A', name: 'Bus 1', manufacturer: 'old', terminalId: 'o' };
    expect(await list()).toMatchObject([{ device }]);
    data(await call('POST', '/terminals/approve', shown));
    const identity = { manufacturer: '44030', terminalId: 'T1' };
    expect(await test.stores.devices.findByDeviceId('A')).toMatchObject({ identity, authCodeHash: undefined });
    expect(test.terminals.forgotten).toEqual(['A']);
    expect(await list()).toEqual([]);
  });

  it('of a device that is online from elsewhere are approved by their address, and for a time', async () => {
    const identity = { manufacturer: '44030', terminalId: 'T1' };
    await addDevice('A', { terminal: '7' });
    await test.stores.devices.update('A', { identity, authCodeHash: 'x', pendingCodeHash: 'y' });
    await note('7', { deviceId: 'A', address: '2001:db8:1:2::7' });
    expect(await list()).toMatchObject([{ device: identity }]);
    const other = await call('POST', '/terminals/approve', { ...shown, address: '192.0.2.1' });
    expect(refusal(other).slice(0, 2)).toEqual([409, 'conflict']);
    expect(refusal(await call('POST', '/terminals/approve', shown)).slice(0, 2)).toEqual([409, 'conflict']);
    data(await call('POST', '/terminals/approve', { ...shown, address: '2001:db8:1:2::7' }));
    expect(await test.stores.devices.findByDeviceId('A')).toMatchObject({
      identity,
      authCodeHash: undefined,
      pendingCodeHash: undefined,
      approval: { address: '2001:db8:1:2', untilMs: test.clock.now + 5 * 60_000 },
    });
    expect(test.terminals.forgotten).toEqual(['A']);
    expect(test.terminals.dropped).toMatchObject([{ deviceId: 'A' }]);
  });

  it('of devices of others are not shown', async () => {
    await note('8', { deviceId: 'THEIRS' });
    expect(await list()).toEqual([]);
    expect(refusal(await call('POST', '/terminals/approve', { ...shown, terminal: '8' }))[0]).toBe(404);
  });
});

describe('imports', () => {
  const CSV = { 'content-type': 'text/csv' };
  const send = (path: string, text: string) => call('POST', `/import/${path}`, Buffer.from(text), CSV);
  interface Plan {
    readonly token: string;
    readonly counts: object;
    readonly rows: readonly { deviceid: string; outcome: string; faults: unknown[]; changes: unknown[] }[];
  }

  it('do what was shown, and nothing when something has changed meanwhile', async () => {
    await addDevice('A');
    const text = 'deviceid,name,group\nA,Renamed,Own\nB,New,Own\n';
    const plan = data<Plan>(await send('check', text));
    expect(plan.counts).toEqual({ added: 1, changed: 1, unchanged: 0, refused: 0 });
    expect(await test.stores.deviceRecords.find('B')).toBeUndefined();
    data(await call('PUT', '/devices/A', { ...FIELDS, group: own, plate: 'NEW-1', version: 1 }));
    expect(refusal(await send(`apply?token=${plan.token}`, text)).slice(0, 2)).toEqual([409, 'conflict']);
    expect(await test.stores.deviceRecords.find('B')).toBeUndefined();
    const fresh = data<Plan>(await send('check', text));
    expect(data(await send(`apply?token=${fresh.token}`, text))).toEqual(fresh.counts);
    expect(await test.stores.deviceRecords.find('A')).toMatchObject({ name: 'Renamed', plate: 'NEW-1' });
    expect(await test.stores.deviceRecords.find('B')).toMatchObject({ name: 'New', deviceGroup: own });
    expect(refusal(await send(`apply?token=${fresh.token}`, text)).slice(0, 2)).toEqual([409, 'conflict']);
  });

  it('read an export again without a change, whatever stands in it', async () => {
    await addDevice('A', { name: '=1+1', notes: '"a",\n\'=b', channelNames: ['a|b', '', 'c\\'], plate: "'-5" });
    await addDevice('台北', { name: '+886', group: own, timeZone: 'Asia/Taipei', disabled: true });
    const slash = data<{ id: number }>(await call('POST', '/groups', { name: 'A/B', parent: own })).id;
    await addDevice('S', { group: slash });
    const exported = await test.download(`${BASE}/devices/csv`, cookie);
    expect(exported.headers['content-type']).toContain('text/csv');
    expect(exported.body.startsWith('\ufeffdeviceid,name,')).toBe(true);
    expect(exported.body).toContain("'=1+1");
    const plan = data<Plan>(await send('check', exported.body));
    expect(plan.rows.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
    expect(plan.counts).toMatchObject({ unchanged: 3 });
  });

  it('show nothing of the devices of others but that their ids are taken', async () => {
    const plan = data<Plan>(await send('check', 'deviceid,name,group\nTHEIRS,Mine now,Own\nX,X,Foreign\n'));
    expect(plan.rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(plan.rows[0]?.faults).toEqual([{ column: 'deviceid', code: 'taken', value: 'THEIRS' }]);
    expect(plan.rows[1]?.faults).toEqual([{ column: 'group', code: 'unknown', value: 'Foreign' }]);
  });

  it('refuse what is no such file', async () => {
    expect(refusal(await send('check', ''))[1]).toBe('file-empty');
    expect(refusal(await send('check', 'deviceid,color\nA,red'))[1]).toBe('file-column-unknown');
    expect(refusal(await send('check', 'name\nA'))[1]).toBe('file-column-missing');
    expect(refusal(await send('check', 'deviceid,name\nA,"B'))[1]).toBe('file-quotes');
    const noText = await call('POST', '/import/check', Buffer.from([0x61, 0xff, 0xff, 0x0a]), CSV);
    expect(refusal(noText)[1]).toBe('file-encoding');
  });
});
