import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fence, ShownFence, TerminalArea } from '../../../../shared/protocol/api/fences/fences.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aCircle, aCorridor, aFenceContent, aPolygon } from '../../../support/aFence.ts';
import { cookieFor } from '../events/eventDefineScene.ts';
import { createFenceScene, FENCES, type FenceScene } from './fenceScene.ts';

let scene: FenceScene;
beforeAll(async () => {
  scene = await createFenceScene();
});
afterEach(async () => {
  const { db, changed, fenceChanges } = scene.test;
  for (const table of ['terminal_area', 'fence', 'audit'] as const) await db.deleteFrom(table).execute();
  changed.length = 0;
  fenceChanges.length = 0;
});
afterAll(() => scene.test.close());

interface Listed {
  readonly rows: readonly Fence[];
  readonly total: number;
}

describe('who may draw geofences (S-2.4.15)', () => {
  it.each([
    ['nobody who is not signed in', '', 401],
    ['no one without `system`', 'drawer', 403],
    ['no one without the permission of the page', 'lister', 403],
  ] as const)('%s', async (_who, as, status) => {
    const { id } = await scene.add();
    const calls = [
      ['GET', FENCES],
      ['POST', FENCES, aFenceContent()],
      ['POST', `${FENCES}/csv`],
      ['GET', `${FENCES}/${id}`],
      ['PUT', `${FENCES}/${id}`, { ...aFenceContent(), version: 1 }],
      ['DELETE', `${FENCES}/${id}?version=1`],
      ['GET', `${FENCES}/${id}/devices`],
      ['POST', '/api/fence/device', { fence: id, act: 'put', devices: ['BUS1'] }],
      ['POST', '/api/fence/export?format=kml'],
    ] as const;
    for (const [method, url, body] of calls) {
      expect({ url, status: (await scene.ask(method, url, body, as)).status }).toEqual({ url, status });
    }
    expect((await scene.send('check', '{}', '', as)).status).toBe(status);
    expect((await scene.send('apply', '{}', `token=${'0'.repeat(64)}`, as)).status).toBe(status);
  });

  it('those of another member group are not there', async () => {
    const { id } = await scene.add();
    const notThere = { status: 404, code: 'no-such-fence' };
    const calls = [
      ['GET', `${FENCES}/${id}`],
      ['PUT', `${FENCES}/${id}`, { ...aFenceContent(), version: 1 }],
      ['DELETE', `${FENCES}/${id}?version=1`],
      ['GET', `${FENCES}/${id}/devices`],
      ['POST', '/api/fence/device', { fence: id, act: 'put', devices: ['TRUCK1'] }],
    ] as const;
    for (const [method, url, body] of calls) {
      expect(await scene.ask(method, url, body, 'south')).toMatchObject(notThere);
    }
    expect(await scene.ask<Listed>('GET', FENCES, undefined, 'south')).toMatchObject({ data: { rows: [], total: 0 } });
    expect((await scene.ask<ShownFence[]>('GET', '/api/fence/shown', undefined, 'south')).data).toEqual([]);
  });
});

describe('geofences', () => {
  it('are added, listed, changed and deleted, each told to the group and kept in the audit', async () => {
    const { test, north } = scene;
    const added = await scene.add({ name: '  Depot  ', rules: { ...aFenceContent().rules, wrongDirection: true } });
    expect(added).toMatchObject({ name: 'Depot', version: 1, changedBy: 'north', rules: { wrongDirection: false } });
    const whole = aFenceContent({ name: 'Harbor', ...aCircle(800) });
    const put = await scene.ask<Fence>('PUT', `${FENCES}/${added.id}`, { ...whole, version: 1 });
    expect(put).toMatchObject({ status: 200, data: { ...whole, version: 2 } });
    expect(await scene.ask<Listed>('GET', `${FENCES}?search=HARB&kind=circle`)).toMatchObject({
      data: { rows: [put.data], total: 1 },
    });
    expect(await scene.ask<Listed>('GET', `${FENCES}?kind=polygon`)).toMatchObject({ data: { total: 0 } });
    expect(await scene.ask('DELETE', `${FENCES}/${added.id}?version=2`)).toMatchObject({ status: 200 });
    expect(test.fenceChanges).toEqual([north.memberGroup, north.memberGroup, north.memberGroup]);
    expect(test.changed).toEqual(['fence', 'fence', 'fence']);
    const entries = await test.db.selectFrom('audit').select(['action', 'target', 'detail']).orderBy('id').execute();
    expect(entries.filter(({ action }) => action.startsWith('fence.'))).toMatchObject([
      { action: 'fence.add', target: 'Depot' },
      { action: 'fence.change', target: 'Harbor' },
      { action: 'fence.remove', target: 'Harbor' },
    ]);
  });

  it('two changes on one version are a conflict, with the fence as it is', async () => {
    const { id } = await scene.add();
    const first = await scene.ask('PUT', `${FENCES}/${id}`, { ...aFenceContent({ name: 'First' }), version: 1 });
    expect(first.status).toBe(200);
    const second = await scene.ask('PUT', `${FENCES}/${id}`, { ...aFenceContent({ name: 'Second' }), version: 1 });
    expect(second).toMatchObject({ status: 409, code: 'conflict', data: { current: { name: 'First', version: 2 } } });
    expect(await scene.ask('DELETE', `${FENCES}/${id}?version=1`)).toMatchObject({ status: 409 });
  });

  it.each([
    ['a name of blanks', { name: ' ' }, { name: 'required' }],
    [
      'crossing edges',
      aPolygon([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
      { geometry: 'fence-crossing' },
    ],
    ['a small radius', aCircle(9), { geometry: 'fence-small-radius' }],
    ['a zone that nobody knows', { timeZone: 'Mars/Base' }, { timeZone: 'unknown' }],
    ['an end before the beginning', { validFromMs: wallMs(2), validToMs: wallMs(1) }, { validToMs: 'out-of-range' }],
    ['a device of another group', { devices: ['TRUCK1'] }, { devices: 'unknown' }],
    ['a device group that is not there', { deviceGroups: [999_999] }, { deviceGroups: 'unknown' }],
  ])('are refused with %s', async (_what, change, fields) => {
    const refused = await scene.ask('POST', FENCES, aFenceContent(change));
    expect(refused).toMatchObject({ status: 422, code: 'bad-fields', data: { fields } });
  });

  it('name devices and groups of the member group', async () => {
    const { deviceGroup } = scene.north;
    expect(await scene.add({ devices: ['BUS1'], deviceGroups: [deviceGroup] })).toMatchObject({ devices: ['BUS1'] });
  });

  it('of 2,000 vertices are taken, of 2,001 refused with the reason', async () => {
    const ring = (count: number) => {
      const angles = Array.from({ length: count }, (_, at) => (at * 2 * Math.PI) / count);
      const places = angles.map((angle) => [121 + Math.cos(angle) / 3, 25 + Math.sin(angle) / 3] as const);
      return aPolygon([...places, places[0] ?? [0, 0]]);
    };
    expect((await scene.ask('POST', FENCES, aFenceContent(ring(2_000)))).status).toBe(200);
    const refused = await scene.ask('POST', FENCES, aFenceContent(ring(2_001)));
    expect(refused).toMatchObject({ status: 422, data: { fields: { geometry: 'fence-many-vertices' } } });
  });
});

describe('geofences on maps', () => {
  it('are there for everybody of the group while they are in force', async () => {
    const nowMs = scene.test.clock.now;
    await scene.add({ name: 'Always', ...aCorridor(40) });
    await scene.add({ name: 'Off', enabled: false });
    await scene.add({ name: 'Over', validToMs: nowMs });
    await scene.add({ name: 'To come', validFromMs: wallMs(nowMs + 1) });
    await scene.add({ name: 'Now', validFromMs: nowMs, validToMs: wallMs(nowMs + 1) });
    const shown = await scene.ask<ShownFence[]>('GET', '/api/fence/shown', undefined, 'driver');
    expect(shown.data.map(({ name }) => name)).toEqual(['Always', 'Now']);
    expect(shown.data[0]).toEqual({ id: expect.any(Number), name: 'Always', ...aCorridor(40), color: '#1976d2' });
    expect((await scene.ask('GET', '/api/fence/shown', undefined, '')).status).toBe(401);
  });

  it('are not sent again to a browser that has them', async () => {
    await scene.add();
    const headers = { cookie: await cookieFor(scene.test, 'driver') };
    const first = await scene.test.request({ url: '/api/fence/shown', headers });
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = { ...headers, 'if-none-match': String(first.headers.etag) };
    const second = await scene.test.request({ url: '/api/fence/shown', headers: again });
    expect([second.statusCode, second.body]).toEqual([304, '']);
    await scene.add({ name: 'New' });
    expect((await scene.test.request({ url: '/api/fence/shown', headers: again })).statusCode).toBe(200);
  });
});

describe('geofences in terminals', () => {
  const act = (fence: number, name: 'put' | 'remove' | 'ask', devices = ['BUS1'], as: 'north' | 'south' = 'north') =>
    scene.ask<TerminalArea[]>('POST', '/api/fence/device', { fence, act: name, devices }, as);

  it('wait for the terminal, are old once the geofence has changed, and are taken out again', async () => {
    const { id } = await scene.add();
    const waiting = {
      deviceid: 'BUS1',
      name: 'North 1',
      plate: 'North-1',
      isOnline: false,
      state: 'waiting',
      note: '',
    };
    expect((await act(id, 'put')).data).toEqual([{ ...waiting, isOld: false, changedAtMs: scene.test.clock.now }]);
    await scene.ask('PUT', `${FENCES}/${id}`, { ...aFenceContent({ name: 'Else' }), version: 1 });
    const listed = await scene.ask<TerminalArea[]>('GET', `${FENCES}/${id}/devices`);
    expect(listed.data).toMatchObject([{ state: 'waiting', isOld: true }]);
    expect((await act(id, 'remove')).data).toMatchObject([{ state: 'removing' }]);
    const entries = await scene.test.db
      .selectFrom('audit')
      .select(['target', 'detail'])
      .where('action', '=', 'fence.device')
      .orderBy('id')
      .execute();
    expect(entries.map(({ target, detail }) => [target, JSON.parse(detail ?? '{}')])).toEqual([
      ['Depot', { act: 'put', devices: ['BUS1'] }],
      ['Else', { act: 'remove', devices: ['BUS1'] }],
    ]);
  });

  it('of devices of another group, and of disabled ones, are not there', async () => {
    const { id } = await scene.add();
    const notThere = { status: 404, code: 'no-such-device' };
    expect(await act(id, 'put', ['BUS1', 'TRUCK1'])).toMatchObject(notThere);
    expect(await act(id, 'put', ['NOBODY'])).toMatchObject(notThere);
    const bus = scene.test.db.updateTable('device').where('device_id', '=', 'BUS1');
    await bus.set({ disabled: 1 }).execute();
    expect(await act(id, 'put')).toMatchObject(notThere);
    await bus.set({ disabled: 0 }).execute();
    expect((await scene.ask<TerminalArea[]>('GET', `${FENCES}/${id}/devices`)).data).toEqual([]);
  });

  it('over the equator are refused with the reason, since no terminal can be told', async () => {
    const { id } = await scene.add(
      aPolygon([
        [10, -1],
        [11, -1],
        [11, 1],
        [10, -1],
      ]),
    );
    expect((await act(id, 'put')).data).toMatchObject([{ state: 'refused', note: 'both-hemispheres' }]);
  });

  it('that are asked for leave no trace in the audit', async () => {
    const { id } = await scene.add();
    expect((await act(id, 'ask')).data).toEqual([]);
    const entries = scene.test.db.selectFrom('audit').select('id').where('action', '=', 'fence.device');
    expect(await entries.execute()).toEqual([]);
  });
});
