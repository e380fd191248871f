import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { runs } from '../../support/runs.ts';
import { createTestApp, type TestApp } from './testApp.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? runs(300));

let test: TestApp;
/** Cookies of a member without a member group, and of one with a group: they get past different checks. */
const cookies: string[] = [];
beforeAll(async () => {
  test = await createTestApp();
  const group = await test.stores.memberGroups.insert({ name: 'North' });
  for (const [name, groups] of [
    ['nomad', []],
    ['root', [group]],
  ] as const) {
    await test.addUser(name, ALL_PERMISSIONS, groups);
    const user = await test.stores.users.findByName(name);
    if (user === undefined) throw new Error('no user');
    const { id } = await test.sessions.begin(user, { address: '', userAgent: '' }, false);
    cookies.push(`fleetglass_sid=${id}`);
  }
});
afterAll(() => test.close());

/** Pieces that matter when addresses are read, more often than chance would put them there. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map(encodeURIComponent),
  fc.constantFrom(
    '..',
    '%2e%2e',
    '%2f',
    '%5c',
    '%00',
    '%',
    'api',
    'live',
    'innerpage',
    'assets',
    'locales',
    'load',
    'en',
  ),
);
const query = fc.array(fc.tuple(fc.constantFrom('username', 'credential', 'deviceid', 'sid', 'x'), piece), {
  maxLength: 4,
});
const path = fc.array(piece, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`);

it(`no request of ${RUNS} at random is a fault of ours`, { timeout: 24 * 3_600_000 }, async () => {
  const routes = [...new Set(test.routes.map(({ url }) => url.replace(':lng', 'en').replace(':ns', 'Common')))];
  const address = fc.oneof(path, fc.constantFrom(...routes));
  const method = fc.constantFrom('GET' as const, 'HEAD' as const, 'POST' as const, 'PUT' as const, 'DELETE' as const);
  const body = fc.oneof(fc.json(), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...cookies), method, address, query, body, async (cookie, ...request) => {
      const [verb, where, parameters, payload] = request;
      const url = `${where}?${parameters.map(([name, value]) => `${name}=${value}`).join('&')}`;
      const withBody = verb === 'POST' || verb === 'PUT' ? { payload } : {};
      const headers = { cookie, 'content-type': 'application/json' };
      const { statusCode, headers: answered } = await test.request({ method: verb, url, headers, ...withBody });
      expect(statusCode).toBeLessThan(500);
      expect(answered['x-content-type-options']).toBe('nosniff');
    }),
    { numRuns: RUNS },
  );
});
