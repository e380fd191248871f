// Every route against every kind of caller, compared with what the routes declare. A route that is added is tested by
// being there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Access, collectRoutes, type DeclaredRoute } from '../../../../server/http/kernel/access.ts';
import { DOWNLOAD_PATH } from '../../../../shared/protocol/api/lists.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { townFile } from '../../../../simulator/town/townFile.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { createTestApp, METRICS_TOKEN, type TestApp } from '../testApp.ts';

interface CallerKind {
  readonly name: string;
  readonly permissions: readonly string[] | undefined;
  readonly link: boolean;
  readonly metrics: boolean;
  /** Given to the user in place of a list of permissions. */
  readonly role?: 'operator' | 'manager' | 'administrator';
  /** Left out: all routes are asked. Otherwise those that name the permission. */
  readonly asks?: string;
}

const signedIn = (name: string, permissions: readonly string[]): CallerKind => ({
  name,
  permissions,
  link: false,
  metrics: false,
});
const nobody: CallerKind = { name: 'nobody', permissions: undefined, link: false, metrics: false };
const OPERATOR = ['event', 'report', 'membergroup', 'export', 'talk', 'devicetext'];
const MANAGER = [...OPERATOR, 'system', 'devicegroup', 'member', 'eventconfig', 'fence', 'evidence', 'link'];
const callers: readonly CallerKind[] = [
  nobody,
  { ...nobody, name: 'a link', link: true },
  { ...nobody, name: 'the metrics token', metrics: true },
  signedIn('a user without permissions', []),
  // A route that a permission opens beside those which it names is open to a user with all but these.
  ...ALL_PERMISSIONS.flatMap((permission) => {
    const others = ALL_PERMISSIONS.filter((each) => each !== permission);
    const alone = { ...signedIn(`a user with ${permission} alone`, [permission]), asks: permission };
    return [alone, { ...signedIn(`a user with all but ${permission}`, others), asks: permission }];
  }),
  { ...signedIn('a user with system and membergroup', ['system', 'membergroup']), asks: 'membergroup' },
  // What the roles of the product may do, as somebody would say it.
  { ...signedIn('an operator', OPERATOR), role: 'operator' },
  { ...signedIn('a manager', MANAGER), role: 'manager' },
  { ...signedIn('an administrator', ALL_PERMISSIONS), role: 'administrator' },
];

function namesOf(access: Access): readonly string[] {
  switch (access.kind) {
    case 'permissions':
      return access.all;
    case 'any-permission':
      return access.any;
    case 'link-or-permission':
      return [access.permission];
    default:
      return [];
  }
}

/** What the declaration promises: the statuses that a caller who may not is given, or undefined for one who may. */
function refusalOf(access: Access, caller: CallerKind): number | undefined {
  switch (access.kind) {
    case 'public':
      return undefined;
    case 'signed-in':
      return caller.permissions === undefined ? 401 : undefined;
    case 'permissions':
      if (caller.permissions === undefined) return 401;
      return access.all.every((permission) => caller.permissions?.includes(permission)) ? undefined : 403;
    case 'any-permission':
      if (caller.permissions === undefined) return 401;
      return access.any.some((permission) => caller.permissions?.includes(permission)) ? undefined : 403;
    case 'terminal':
      // Nobody was given this address, whatever else they have.
      return 404;
    case 'link':
      return caller.link ? undefined : 403;
    case 'link-or-permission':
      if (caller.link) return undefined;
      if (caller.permissions === undefined) return 401;
      return caller.permissions.includes(access.permission) ? undefined : 403;
    case 'metrics':
      return caller.metrics ? undefined : 404;
  }
}

/** Public, since the address itself is the proof; one that nobody was given is not there. */
const DOWNLOAD = `${DOWNLOAD_PATH}/:secret`;
const PLAY = { deviceid: 'DEV1', streamid: 1, spbtime: 1, duration: 1, chs: 1, main: 0 };

describe('access', () => {
  let test: TestApp;
  let link: string;
  let listed: readonly DeclaredRoute[];
  let folder: TempFolder;
  beforeAll(async () => {
    folder = await createTempFolder();
    const map = join(folder.path, 'region.pmtiles');
    writeFileSync(map, townFile());
    test = await createTestApp({ MAP_PMTILES: map });
    listed = test.routes;
    const deviceGroup = await test.stores.deviceGroups.insert('Buses');
    const memberGroup = await test.stores.memberGroups.insert({ name: 'North' });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    await test.stores.devices.insert({ deviceId: 'DEV1', name: 'Bus', chn: 1, deviceGroup });
    const ownerId = await test.addUser('owner', [], [memberGroup]);
    link = await test.addLink({
      ownerId,
      deviceId: 'DEV1',
      channelMask: 1,
      kinds: ['live', 'playback', 'remote', 'export'],
    });
  });
  afterAll(async () => {
    await test.close();
    await folder.remove();
  });

  async function beginSession(username: string): Promise<string> {
    const user = await test.stores.users.findByName(username);
    if (user === undefined) throw new Error(`no user ${username}`);
    const { id } = await test.sessions.begin(user, { address: '192.0.2.1', userAgent: '' }, false);
    return `fleetglass_sid=${id}`;
  }

  async function addWithRole(username: string, builtIn: NonNullable<CallerKind['role']>): Promise<void> {
    const { id: role } = await test.stores.roles.findBuiltIn(builtIn);
    await test.stores.users.insert({ username, passwordHash: 'none', permissions: [], role }, test.clock.now);
  }

  async function ask(route: DeclaredRoute, caller: CallerKind) {
    const username = caller.name;
    if (caller.permissions !== undefined && (await test.stores.users.findByName(username)) === undefined) {
      if (caller.role === undefined) await test.addUser(username, caller.permissions);
      else await addWithRole(username, caller.role);
    }
    const headers: Record<string, string> = caller.metrics ? { authorization: `Bearer ${METRICS_TOKEN}` } : {};
    // A route that ends the session must not end that of the routes behind it.
    if (caller.permissions !== undefined) headers.cookie = await beginSession(username);
    const credential = caller.link ? link : 'x'.repeat(27);
    // With what any of them needs besides: a link is looked at once the request is one.
    const rest = { deviceid: 'DEV1', channel: '1', channels: '1', from: '1', to: '2', job: 'abcdefgh' };
    const query = { username: 'owner', credential, ...rest };
    const body = route.access.kind === 'link' ? PLAY : {};
    return test.request({
      method: route.method as NonNullable<InjectOptions['method']>,
      url: route.url.replace(':lng', 'en').replace(':ns', 'Common').replace('*', ''),
      headers,
      ...(route.access.kind === 'link' ? { query } : {}),
      ...(route.access.kind === 'link-or-permission' ? { query: caller.link ? query : rest } : {}),
      ...(route.method === 'POST' || route.method === 'PUT' ? { body } : {}),
    });
  }

  it('is declared by every route, and there are routes of every kind', () => {
    expect(new Set(listed.map(({ access }) => access.kind))).toEqual(
      new Set([
        'public',
        'signed-in',
        'permissions',
        'any-permission',
        'link',
        'link-or-permission',
        'terminal',
        'metrics',
      ]),
    );
    expect(listed.length).toBeGreaterThan(15);
  });

  it.each(callers)('of $name is what every route declares', async (caller) => {
    const { asks } = caller;
    const asked = listed.filter(({ access }) => asks === undefined || namesOf(access).includes(asks));
    for (const route of asked) {
      const { statusCode } = await ask(route, caller);
      const what = `${route.method} ${route.url}`;
      const refusal = refusalOf(route.access, caller);
      if (refusal === undefined) expect([200, 400, 404, 422], what).toContain(statusCode);
      else expect(statusCode, what).toBe(refusal);
      // For those who may, 404 means a choice that does not exist, never a refusal in disguise.
      const isChoice =
        route.access.kind === 'permissions' ||
        route.access.kind === 'any-permission' ||
        route.access.kind === 'link-or-permission' ||
        route.url === DOWNLOAD;
      if (refusal === undefined && !isChoice) expect([200, 400], what).toContain(statusCode);
    }
  });

  it('that is not declared stops the start', async () => {
    const app = Fastify();
    collectRoutes(app);
    expect(() => app.get('/secret', { schema: {} }, () => 'x')).toThrow('GET /secret does not declare');
    const config = { access: { kind: 'public' } } as const;
    expect(() => app.get('/shapeless', { config }, () => 'x')).toThrow('GET /shapeless has no schema');
    await app.close();
  });
});
