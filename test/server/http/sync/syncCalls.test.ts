import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestPosition } from '../../../../server/sync/plan/positions.ts';
import {
  MAX_SYNC_RULES,
  type SyncCalendar,
  type SyncDay,
  type SyncItem,
  type SyncRule,
} from '../../../../shared/protocol/api/sync/sync.ts';
import { SYNC_PLACES } from '../../../../shared/protocol/sync/syncWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aSyncItem, aSyncRule } from '../../../support/sync/syncRecords.ts';
import { cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const RULES = '/api/datasync/rules';
const ITEMS = '/api/datasync/items';
const HOUR_MS = 3_600_000;
const DAY_START_MS = Date.UTC(2026, 5, 10);
const REQUESTED_AT_MS = DAY_START_MS + 48 * HOUR_MS;

let test: TestApp;
let bus = 0;
let truck = 0;
let north = 0;
beforeAll(async () => {
  test = await createTestApp();
  const place = async (name: string, deviceId: string) => {
    const deviceGroup = await test.stores.deviceGroups.insert(name);
    const memberGroup = await test.stores.memberGroups.insert({ name });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    const device = { deviceId, name: `${name} 1`, plate: `${name}-1`, deviceGroup, chn: 2 };
    return { memberGroup, incarnation: (await test.stores.devices.insert(device)).incarnation };
  };
  const [one, other] = [await place('North', 'BUS1'), await place('South', 'TRUCK1')];
  [bus, truck, north] = [one.incarnation, other.incarnation, one.memberGroup];
  await test.addUser('north', ['datasync'], [one.memberGroup]);
  await test.addUser('south', ['datasync'], [other.memberGroup]);
  await test.addUser('driver', [], [one.memberGroup]);
});
afterEach(async () => {
  for (const table of ['sync_item', 'sync_rule', 'device_recording', 'device_listing', 'audit'] as const) {
    await test.db.deleteFrom(table).execute();
  }
  test.sync.kicked.length = 0;
});
afterAll(() => test.close());

async function ask<Data>(method: InjectOptions['method'], url: string, body?: object, as = 'north') {
  const headers = as === '' ? {} : { cookie: await cookieFor(test, as) };
  const answer = await test.request({ method: method ?? 'GET', url, headers, ...(body === undefined ? {} : { body }) });
  const { code, data } = answer.json() as { readonly code?: string; readonly data: Data };
  return { status: answer.statusCode, code, data };
}

const addRule = async (change: Parameters<typeof aSyncRule>[0] = {}, as = 'north') =>
  (await ask<SyncRule>('POST', RULES, aSyncRule(change), as)).data;
const addItem = async (incarnation: number, change: Parameters<typeof aSyncItem>[1] = {}) => {
  const [id = 0] = await test.stores.syncItems.add([aSyncItem(incarnation, change)], 5);
  return id;
};
const stateOf = async (id: number) => (await test.stores.syncItems.find(id))?.state;

describe('who may use data sync (S-2.4.8)', () => {
  it.each([
    ['nobody who is not signed in', '', 401],
    ['no one without `datasync`', 'driver', 403],
  ] as const)('%s', async (_who, as, status) => {
    const { id } = await addRule();
    const item = await addItem(bus);
    const calls = [
      ['GET', RULES],
      ['POST', RULES, aSyncRule()],
      ['POST', `${RULES}/csv`],
      ['GET', `${RULES}/${id}`],
      ['PUT', `${RULES}/${id}`, { ...aSyncRule(), version: 1 }],
      ['DELETE', `${RULES}/${id}?version=1`],
      ['GET', ITEMS],
      ['POST', `${ITEMS}/csv`],
      ['POST', '/api/datasync/act', { items: [item], act: 'cancel' }],
      ['POST', '/api/datasync/request', requestOf('BUS1')],
      ['POST', '/api/datasync/file', { item }],
      ['GET', '/api/datasync/calendar?deviceid=BUS1&month=2026-06&timeZone=UTC'],
      ['GET', '/api/datasync/day?deviceid=BUS1&day=2026-06-10&timeZone=UTC'],
    ] as const;
    for (const [method, url, body] of calls) {
      expect({ url, status: (await ask(method, url, body, as)).status }).toEqual({ url, status });
    }
    expect(await stateOf(item)).toBe('planned');
  });

  it('rules, items and devices of another member group are not there', async () => {
    const { id } = await addRule();
    const item = await addItem(bus);
    const as = 'south';
    expect(await ask('GET', `${RULES}/${id}`, undefined, as)).toMatchObject({ status: 404, code: 'no-such-sync-rule' });
    expect((await ask('PUT', `${RULES}/${id}`, { ...aSyncRule(), version: 1 }, as)).status).toBe(404);
    expect((await ask('DELETE', `${RULES}/${id}?version=1`, undefined, as)).status).toBe(404);
    expect((await ask<{ rows: SyncItem[] }>('GET', ITEMS, undefined, as)).data.rows).toEqual([]);
    expect((await ask('POST', '/api/datasync/act', { items: [item], act: 'cancel' }, as)).data).toEqual({ items: 0 });
    expect(await stateOf(item)).toBe('planned');
    expect((await ask('POST', '/api/datasync/request', requestOf('BUS1'), as)).status).toBe(404);
    for (const call of ['calendar?month=2026-06', 'day?day=2026-06-10']) {
      expect((await ask('GET', `/api/datasync/${call}&deviceid=BUS1&timeZone=UTC`, undefined, as)).status).toBe(404);
    }
  });

  it('devices that are disabled are not there', async () => {
    await addItem(bus);
    await test.stores.devices.update('BUS1', { disabled: true });
    expect((await ask<{ rows: SyncItem[] }>('GET', ITEMS)).data.rows).toEqual([]);
    expect((await ask('POST', '/api/datasync/request', requestOf('BUS1'))).status).toBe(404);
    await test.stores.devices.update('BUS1', { disabled: false });
  });
});

function requestOf(deviceid: string) {
  return { deviceid, channels: [1], stream: 'any', fromMs: DAY_START_MS, toMs: DAY_START_MS + 600_000 };
}

describe('rules of data sync', () => {
  it('are added, changed and deleted, each of which is audited and planned anew', async () => {
    const added = await addRule({ name: '  Nightly ' });
    expect(added).toMatchObject({ name: 'Nightly', version: 1, changedBy: 'north', openItems: 0 });
    await addItem(bus, { rule: added.id, memberGroup: north });
    const changed = await ask<SyncRule>('PUT', `${RULES}/${added.id}`, { ...aSyncRule({ name: 'Daily' }), version: 1 });
    expect(changed.data).toMatchObject({ name: 'Daily', version: 2, openItems: 1 });
    expect((await ask('DELETE', `${RULES}/${added.id}?version=2`)).status).toBe(200);
    expect(await test.stores.syncItems.devicesWithOpen()).toEqual([]);
    expect(test.sync.changedRules.filter((id) => id === added.id)).toHaveLength(3);
    const audit = await test.db.selectFrom('audit').select(['action', 'target']).orderBy('id').execute();
    expect(audit).toEqual([
      { action: 'syncrule.add', target: 'Nightly' },
      { action: 'syncrule.change', target: 'Daily' },
      { action: 'syncrule.remove', target: 'Daily' },
    ]);
  });

  it('are given all at once to a filter that asks for them', async () => {
    const statusOf = async (limit: number) => (await ask('GET', `${RULES}?limit=${limit}`)).status;
    expect(await Promise.all([statusOf(MAX_SYNC_RULES), statusOf(MAX_SYNC_RULES + 1)])).toEqual([200, 400]);
  });

  it('a change of an older version is a conflict with the rule as it is', async () => {
    const { id } = await addRule();
    await ask('PUT', `${RULES}/${id}`, { ...aSyncRule({ name: 'First' }), version: 1 });
    const second = await ask('PUT', `${RULES}/${id}`, { ...aSyncRule({ name: 'Second' }), version: 1 });
    expect(second).toMatchObject({ status: 409, code: 'conflict', data: { current: { name: 'First', version: 2 } } });
    expect((await ask('DELETE', `${RULES}/${id}?version=1`)).status).toBe(409);
  });

  it.each([
    ['a name of blanks', { name: ' ' }, { name: 'required' }],
    ['a device of another member group', { devices: ['TRUCK1'] }, { devices: 'unknown' }],
    ['a group of another member group', { deviceGroups: [999_999] }, { deviceGroups: 'unknown' }],
    ['no network', { wifi: false, lan: false, mobile: false }, { wifi: 'required' }],
  ] as const)('are refused with %s', async (_what, change, fields) => {
    expect(await ask('POST', RULES, { ...aSyncRule(), ...change })).toMatchObject({ status: 422, data: { fields } });
  });
});

describe('items of data sync', () => {
  it('are listed in the order in which they are fetched, what has ended last', async () => {
    const [late, soon, ended] = [
      await addItem(bus, { position: 7 }),
      await addItem(bus, { position: 3 }),
      await addItem(bus, { position: 1, state: 'skipped' }),
    ];
    await addItem(truck, { position: 0 });
    const { data } = await ask<{ rows: SyncItem[] }>('GET', ITEMS);
    expect(data.rows.map(({ id }) => id)).toEqual([soon, late, ended]);
    expect(data.rows[0]).toMatchObject({ deviceid: 'BUS1', plate: 'North-1', state: 'planned', hasFile: false });
    const skipped = await ask<{ rows: SyncItem[] }>('GET', `${ITEMS}?state=skipped`);
    expect(skipped.data.rows.map(({ id }) => id)).toEqual([ended]);
    const csv = await test.download(`${ITEMS}/csv`, await cookieFor(test, 'north'));
    expect(csv.body.trim().split('\n')).toHaveLength(4);
  });

  it('are paused, resumed, moved, canceled and tried again', async () => {
    const [first, second] = [await addItem(bus, { position: 1 }), await addItem(bus, { position: 2 })];
    const act = (name: string, items = [second]) => ask('POST', '/api/datasync/act', { items, act: name });
    expect((await act('pause')).data).toEqual({ items: 1 });
    expect(await stateOf(second)).toBe('paused');
    expect((await act('resume', [first, second])).data).toEqual({ items: 1 });
    await act('first');
    expect((await test.stores.syncItems.next(bus, 10)).map(({ id }) => id)).toEqual([second, first]);
    await act('last');
    expect((await test.stores.syncItems.next(bus, 10)).map(({ id }) => id)).toEqual([first, second]);
    await act('cancel');
    expect(await stateOf(second)).toBe('canceled');
    expect((await act('cancel')).data).toEqual({ items: 0 });
    await act('retry');
    expect(await stateOf(second)).toBe('planned');
    const audited = await test.db.selectFrom('audit').select('action').where('action', '=', 'syncitem.act').execute();
    expect(audited).toHaveLength(6);
  });

  it('are asked for by members, cut into ten minutes at most, and go before those of rules', async () => {
    const body = { ...requestOf('BUS1'), channels: [1, 2], toMs: DAY_START_MS + 1_500_000 };
    const { data } = await ask<{ items: number[] }>('POST', '/api/datasync/request', body);
    expect(data.items).toHaveLength(6);
    const items = await test.stores.syncItems.next(bus, 10);
    expect(items.every(({ requestedBy, state }) => requestedBy === 'north' && state === 'planned')).toBe(true);
    expect(test.sync.kicked).toEqual([bus]);
    expect((await ask('POST', '/api/datasync/request', body)).data).toEqual({ items: [], outcome: 'queued' });
  });

  it('of a rule that a member asks for go first, whatever the rule says', async () => {
    const { id: rule } = await addRule();
    const span = { fromMs: DAY_START_MS, toMs: DAY_START_MS + 600_000 };
    const ofRule = { rule, memberGroup: north, requestedBy: '' };
    const other = await addItem(bus, { ...ofRule, channel: 2, ...span, position: requestPosition(1) + 1e14 });
    const asked = await addItem(bus, { ...ofRule, ...span, position: requestPosition(2) + 1e14 });
    const { data } = await ask('POST', '/api/datasync/request', requestOf('BUS1'));
    expect(data).toEqual({ items: [], outcome: 'queued' });
    expect((await test.stores.syncItems.next(bus, 10)).map(({ id }) => id)).toEqual([asked, other]);
    expect(await test.stores.syncItems.find(asked)).toMatchObject({ rule: undefined, requestedBy: 'north' });
    expect(test.sync.kicked).toEqual([bus]);
  });

  it('are asked for of all cameras where no channel is named', async () => {
    const all = { ...requestOf('BUS1'), channels: [] };
    expect((await ask<{ items: number[] }>('POST', '/api/datasync/request', all)).data.items).toHaveLength(2);
    expect((await test.stores.syncItems.next(bus, 10)).map(({ channel }) => channel)).toEqual([1, 2]);
  });

  it('are asked for by channel alone of a device that has not told its channels yet', async () => {
    await test.stores.devices.update('BUS1', { chn: 0 });
    const request = requestOf('BUS1');
    const named = await ask<{ items: number[] }>('POST', '/api/datasync/request', { ...request, channels: [7] });
    expect(named.data.items).toHaveLength(1);
    const unnamed = await ask('POST', '/api/datasync/request', { ...request, channels: [] });
    expect(unnamed).toMatchObject({ status: 409, code: 'channels-unknown' });
    await test.stores.devices.update('BUS1', { chn: 2 });
  });

  it.each([
    ['a channel that the device lacks', { channels: [3] }, 'channels'],
    ['an end before its begin', { toMs: 0 }, 'toMs'],
    ['more than a day', { toMs: DAY_START_MS + 25 * HOUR_MS }, 'toMs'],
    ['times that no calendar knows', { fromMs: 8_700_000_000_000_000, toMs: 8_700_000_000_600_000 }, 'toMs'],
    ['what is to come', { fromMs: REQUESTED_AT_MS, toMs: REQUESTED_AT_MS + 10 * 60_000 + 1 }, 'toMs'],
  ])('are refused for %s', async (_what, change, field) => {
    test.clock.now = wallMs(REQUESTED_AT_MS);
    const answer = await ask('POST', '/api/datasync/request', { ...requestOf('BUS1'), ...change });
    expect(answer).toMatchObject({ status: 422, data: { fields: { [field]: expect.any(String) } } });
  });

  it('give their file to those alone who see the device', async () => {
    const item = await addItem(bus);
    expect(await ask('POST', '/api/datasync/file', { item })).toMatchObject({ status: 404, code: 'no-such-sync-file' });
    const name = 'a'.repeat(32);
    mkdirSync(test.sync.folder, { recursive: true });
    writeFileSync(join(test.sync.folder, name), 'no video');
    await test.stores.syncItems.change(item, { file: name, state: 'failed', fault: 'unreadable' }, 6);
    expect((await ask('POST', '/api/datasync/file', { item }, 'south')).status).toBe(404);
    const { data } = await ask<{ address: string }>('POST', '/api/datasync/file', { item });
    const file = await test.request({ url: data.address });
    expect(file.body).toBe('no video');
    expect(file.headers['content-disposition']).toContain(`device-file-${item}.bin`);
  });
});

describe('the calendar of data sync', () => {
  const at = (hour: number) => DAY_START_MS + hour * HOUR_MS;

  async function record(): Promise<void> {
    test.clock.now = wallMs(at(48));
    const file = (from: number, to: number) => {
      return { channel: 1, fromMs: at(from), toMs: at(to), stream: 'main', alarms: '0'.repeat(16), bytes: 9 } as const;
    };
    const window = { incarnation: bus, channel: 1, fromMs: at(0), toMs: at(24) };
    await test.stores.listedRecordings.replace(window, [file(0, 1), file(2, 3), file(4, 5)]);
    await test.stores.listedRecordings.replace(window, [file(0, 1), file(2, 3)]);
    await test.stores.listedRecordings.setListed(bus, at(40));
    const { archiveId } = (await test.stores.devices.findByDeviceId('BUS1')) ?? { archiveId: '' };
    const segment = {
      archiveId,
      channel: 1,
      quality: 'main',
      deviceStartMs: wallMs(0),
      deviceEndMs: wallMs(0),
    } as const;
    const times = { startMs: wallMs(at(2)), endMs: wallMs(at(2) + 600_000) };
    await test.stores.segments.add([{ ...segment, ...times, bytes: 1, groupCount: 1 }]);
    await addItem(bus, { fromMs: at(0), toMs: at(0) + 600_000 });
  }

  it('says of each part of a day where it is', async () => {
    await record();
    const { data } = await ask<SyncDay>('GET', '/api/datasync/day?deviceid=BUS1&day=2026-06-10&timeZone=UTC');
    expect(data.map(({ channel }) => channel)).toEqual([1, 2]);
    expect(data[0]?.spans).toEqual([
      { fromMs: at(0), toMs: at(0) + 600_000, place: 'due' },
      { fromMs: at(0) + 600_000, toMs: at(1), place: 'device' },
      { fromMs: at(2), toMs: at(2) + 600_000, place: 'both' },
      { fromMs: at(2) + 600_000, toMs: at(3), place: 'device' },
      { fromMs: at(4), toMs: at(5), place: 'gone' },
    ]);
    await test.db.deleteFrom('segment').execute();
    await test.db.deleteFrom('recorded_range').execute();
  });

  it('adds it up by day of the month, in the time zone that was asked for', async () => {
    await record();
    const month = (timeZone: string) =>
      ask<SyncCalendar>('GET', `/api/datasync/calendar?deviceid=BUS1&month=2026-06&timeZone=${timeZone}`);
    const { data } = await month('UTC');
    expect(data.listedAtMs).toBe(at(40));
    expect(data.days.map(({ day }) => day)).toEqual(['2026-06-10']);
    const places = Object.fromEntries(SYNC_PLACES.map((place, i) => [place, data.days[0]?.channels[0]?.places[i]]));
    expect(places).toMatchObject({ both: 600_000, gone: HOUR_MS, due: 600_000, missing: 0 });
    expect((await month('America/Sao_Paulo')).data.days.map(({ day }) => day)).toEqual(['2026-06-09', '2026-06-10']);
    expect((await month('Nowhere/City')).status).toBe(422);
    await test.db.deleteFrom('segment').execute();
    await test.db.deleteFrom('recorded_range').execute();
  });
});
