// What features register: their calls, with the access of each and the kinds of records that it changes.
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../../server/http/app.ts';
import type { RegisterFeature } from '../../../server/http/features.ts';
import { ok } from '../../../server/http/kernel/envelope.ts';
import { registerChanging } from '../../../server/http/kernel/recordChanges.ts';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from './testApp.ts';

interface AddedCall {
  readonly url: string;
  readonly changes?: readonly RecordKind[];
  readonly access?: 'public' | 'signed-in';
}

/** A feature whose calls change devices and links, unless they say otherwise. */
function featureOf(calls: readonly AddedCall[]): RegisterFeature<AppDeps> {
  return async (app) => {
    await registerChanging(app, ['device', 'link'], async (routes) => {
      for (const call of calls) addCall(routes, call);
    });
  };
}

function addCall(routes: FastifyInstance, { url, changes, access = 'public' }: AddedCall): void {
  const config = changes === undefined ? { access: { kind: access } } : { access: { kind: access }, changes };
  routes.get(url, { schema: {}, config }, () => ok({}));
  routes.post(url, { schema: {}, config }, () => ok({}));
}

describe('a feature that is added to the list', () => {
  let test: TestApp;
  beforeEach(async () => {
    const calls: readonly AddedCall[] = [
      { url: '/api/added/things' },
      { url: '/api/added/session', changes: ['session'] },
      { url: '/api/added/nothing', changes: [] },
      { url: '/api/added/mine', access: 'signed-in' },
    ];
    test = await createTestApp({}, { features: [featureOf(calls)] });
  });
  afterEach(() => test.close());

  const post = (url: string) => test.request({ method: 'POST', url, body: {} });

  it('answers, and is listed with the access that it declares', async () => {
    expect((await test.request({ url: '/api/added/things' })).statusCode).toBe(200);
    expect((await test.request({ url: '/api/added/mine' })).statusCode).toBe(401);
    expect(test.routes).toContainEqual({ method: 'POST', url: '/api/added/mine', access: { kind: 'signed-in' } });
  });

  it("tells what its calls change once they succeed: the feature's kinds, or those that a call declares", async () => {
    await post('/api/added/things');
    expect(test.changed.splice(0)).toEqual(['device', 'link']);
    await post('/api/added/session');
    expect(test.changed.splice(0)).toEqual(['session']);
    await post('/api/added/nothing');
    await test.request({ url: '/api/added/things' });
    expect((await post('/api/added/mine')).statusCode).toBe(401);
    expect(test.changed).toEqual([]);
  });
});

describe('a call of a feature', () => {
  it('that does not declare the access it needs stops the start', async () => {
    const careless: RegisterFeature<AppDeps> = async (app) => {
      app.get('/api/careless/plain', { schema: {} }, () => ok({}));
    };
    const carelessChange: RegisterFeature<AppDeps> = (app) =>
      registerChanging(app, ['device'], async (routes) => {
        routes.post('/api/careless/change', { schema: {} }, () => ok({}));
      });
    await expect(createTestApp({}, { features: [careless] })).rejects.toThrow(
      'GET /api/careless/plain does not declare the access',
    );
    await expect(createTestApp({}, { features: [carelessChange] })).rejects.toThrow(
      'POST /api/careless/change does not declare the access',
    );
  });
});

describe('the calls of the product', () => {
  let test: TestApp;
  let cookie: string;
  let memberGroup: number;
  beforeEach(async () => {
    test = await createTestApp();
    const deviceGroup = await test.stores.deviceGroups.insert('Buses');
    memberGroup = await test.stores.memberGroups.insert({ name: 'North' });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    await test.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 2, deviceGroup });
    await test.addUser('admin', ALL_PERMISSIONS, [memberGroup]);
    cookie = await test.signIn('admin');
    test.changed.splice(0);
  });
  afterEach(() => test.close());

  async function changedBy(method: 'POST' | 'PUT' | 'GET', url: string, body?: object): Promise<readonly string[]> {
    const answer = await test.request({ method, url, headers: { cookie }, ...(body === undefined ? {} : { body }) });
    expect(answer.statusCode, answer.body).toBe(200);
    return test.changed.splice(0);
  }

  it('tell what they change', async () => {
    const group = { name: 'Trams', parent: null };
    expect(await changedBy('POST', '/api/devicegroup/groups', group)).toEqual(['device', 'group']);
    const role = { name: 'Night', permissions: ['audit'], secondFactorRequired: false };
    const membership = ['member', 'membergroup', 'role', 'group', 'session'];
    expect(await changedBy('POST', '/api/membership/roles', role)).toEqual(membership);
    const until = { untilMs: test.clock.now + 60_000, note: '' };
    const link = { deviceid: 'BUS1', channels: [1], kinds: ['live'], ...until };
    expect(await changedBy('POST', '/api/link/links', link)).toEqual(['link']);
    await test.signIn('admin');
    expect(test.changed.splice(0)).toEqual(['session']);
  });

  it('tell nothing where no list shows what they change', async () => {
    const wall = { name: 'Gates', channels: [{ deviceid: 'BUS1', channel: 1 }], cycleSeconds: 0 };
    expect(await changedBy('PUT', '/api/dashboard/wall', wall)).toEqual([]);
    expect(await changedBy('POST', '/api/device/view', { deviceid: 'BUS1', kinds: ['live'] })).toEqual([]);
    expect(await changedBy('GET', '/api/devicegroup/groups')).toEqual([]);
  });
});
