// Which permissions each call of the event pages needs: all of them, whatever is asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from '../testApp.ts';
import { cookieFor } from './eventDefineScene.ts';

let test: TestApp;
let users = 0;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const PAGES: readonly (readonly [page: string, prefix: string, calls: number, needed: readonly Permission[]])[] = [
  ['S-2.4.14, S-6.3 Event Define', '/api/eventdefine/', 10, ['system', 'eventdefine']],
  ['S-2.4.12, S-6.3 Event Config', '/api/eventconfig/', 6, ['system', 'eventconfig']],
];

describe.each(PAGES)('calls of %s', (_page, prefix, count, needed) => {
  async function statusesFor(permissions: readonly string[]): Promise<readonly number[]> {
    const username = `user${++users}`;
    await test.addUser(username, permissions);
    const headers = { cookie: await cookieFor(test, username) };
    const calls = test.routes.filter(({ method, url }) => url.startsWith(prefix) && method !== 'HEAD');
    const answers = calls.map(async ({ method, url }) => {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const call = { method: method as 'GET', url: url.replace(/:\w+/g, '1'), headers, ...body };
      return (await test.request(call)).statusCode;
    });
    return Promise.all(answers);
  }

  it.each(needed)('are refused to who has %s alone', async (only) => {
    expect(await statusesFor([only])).toEqual(Array.from({ length: count }, () => 403));
  });

  it('are refused to who has neither, but the permission to work with events', async () => {
    expect(await statusesFor(['event', 'member'])).toEqual(Array.from({ length: count }, () => 403));
  });

  it('are answered for who has both', async () => {
    const statuses = await statusesFor(needed);
    expect(statuses).toHaveLength(count);
    expect(statuses).toContain(200);
    expect(statuses).not.toContain(403);
  });
});
