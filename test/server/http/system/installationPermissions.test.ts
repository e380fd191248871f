// Which permissions each call of the two pages of the installation needs: both of its page, whatever is asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS, type Permission } from '../../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

let test: TestApp;
let users = 0;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const PAGES: readonly (readonly [page: string, prefix: string, needed: readonly Permission[]])[] = [
  ['S-2.4.16, S-6.3 Version', '/api/version/', ['system', 'gmsversion']],
  ['S-2.4.19, S-6.3 System Backup', '/api/backup/', ['system', 'sysbackup']],
];

/** They need every permission. */
const WHOLE: readonly string[] = [
  'POST /api/backup/backups/:id/download',
  'POST /api/backup/restore/plan',
  'DELETE /api/backup/restore/plan',
  'POST /api/backup/restore',
];

describe.each(PAGES)('calls of %s', (_page, prefix, needed) => {
  const calls = () => test.routes.filter(({ method, url }) => url.startsWith(prefix) && method !== 'HEAD');

  /** Each call once, as a line such as `403 GET /api/version/about`. */
  async function answersTo(permissions: readonly string[] | undefined): Promise<readonly string[]> {
    const headers: Record<string, string> = {};
    if (permissions !== undefined) {
      const username = `user${++users}`;
      await test.addUser(username, permissions);
      headers.cookie = await test.signIn(username);
    }
    const answers = calls().map(async ({ method, url }) => {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const call = { method: method as 'GET', url: url.replace(/:\w+/g, '1'), headers, ...body };
      return `${(await test.request(call)).statusCode} ${method} ${url}`;
    });
    return Promise.all(answers);
  }

  const refusedWith = (status: number) => calls().map(({ method, url }) => `${status} ${method} ${url}`);

  it.each(needed)('are refused to who has %s alone', async (only) => {
    expect(await answersTo([only])).toEqual(refusedWith(403));
  });

  it.each(needed)('are refused to who has all but %s', async (missing) => {
    expect(await answersTo(ALL_PERMISSIONS.filter((each) => each !== missing))).toEqual(refusedWith(403));
  });

  it('are refused to who is not signed in', async () => {
    expect(await answersTo(undefined)).toEqual(refusedWith(401));
  });

  it('are answered for who has both, but for those that hand out or bring back all there is', async () => {
    const ofAll = [...calls()].filter(({ method, url }) => WHOLE.includes(`${method} ${url}`));
    const refused = (await answersTo(needed)).filter((answer) => WHOLE.includes(answer.slice(4)));
    expect(refused).toEqual(ofAll.map(({ method, url }) => `403 ${method} ${url}`));
    // A call that needs a third permission is beside the page.
    const answers = (await answersTo(needed)).filter(
      (answer) => !answer.endsWith('/recording') && !WHOLE.includes(answer.slice(4)),
    );
    expect(answers.length).toBeGreaterThan(5);
    expect(answers.filter((answer) => /^40[13] /.test(answer))).toEqual([]);
    expect(answers.some((answer) => answer.startsWith('200 GET '))).toBe(true);
  });
});
