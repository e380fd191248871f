import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '../../../../server/http/kernel/lists/cursor.ts';
import { GROUPS_PATH, MEMBERS_PATH, SESSIONS_PATH } from '../../../../shared/protocol/api/accounts.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createScene, type Scene } from './scene.ts';

const ROWS = 250;

interface Page {
  readonly total: number;
  readonly hasMoreThanTotal: boolean;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
  readonly previous: string | null;
}

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
  await scene.addMember('admin', scene.roles.administrator);
  const { members, memberGroups, sessions } = scene.test.stores;
  const now = scene.test.clock.now;
  const soon = wallMs(now + 60_000);
  for (let at = 0; at < ROWS; at++) {
    const user = { username: `user ${at}`, displayName: '=1+1', passwordHash: 'h', permissions: [] };
    const added = await members.insert(user, [], now);
    if (!added.ok) throw new Error(added.reason);
    await memberGroups.insert({ name: `Group ${at}` });
    await sessions.insert({
      idHash: at.toString(16).padStart(4, '0').repeat(16),
      userId: added.value,
      memberGroup: undefined,
      wallMonitor: at === 0,
      createdAtMs: now,
      lastSeenAtMs: now,
      idleEndsAtMs: soon,
      endsAtMs: soon,
      address: '192.0.2.7',
      userAgent: 'Firefox, "beta"',
    });
  }
});
afterAll(() => scene.test.close());

const ask = (url: string) => scene.ask('admin', 'GET', url);
const get = async (url: string): Promise<Page> => {
  const { status, body, data } = await ask(url);
  expect(status, body).toBe(200);
  return data as unknown as Page;
};

describe.each([
  // Two groups are the scene's, and so are the member and the session that ask.
  { path: MEMBERS_PATH, id: 'id', rows: ROWS + 1, sort: 'username', other: SESSIONS_PATH },
  { path: GROUPS_PATH, id: 'serialno', rows: ROWS + 2, sort: 'name', other: MEMBERS_PATH },
  { path: SESSIONS_PATH, id: 'id', rows: ROWS + 1, sort: 'username', other: MEMBERS_PATH },
])('$path', ({ path, id, rows, sort, other }) => {
  it('is walked by cursors, each row once, there and back', async () => {
    const pages: Page[] = [await get(`${path}?sort=${sort}&limit=100`)];
    expect(pages[0]).toMatchObject({ total: rows, hasMoreThanTotal: false, previous: null });
    for (let next = pages[0]?.next; typeof next === 'string'; next = pages.at(-1)?.next) {
      pages.push(await get(`${path}?sort=${sort}&limit=100&after=${next}`));
    }
    expect(pages.map((page) => page.rows.length)).toEqual([100, 100, rows - 200]);
    const forward = pages.flatMap((page) => page.rows.map((row) => row[id]));
    expect(new Set(forward).size).toBe(rows);
    const back: Page[] = pages.slice(-1);
    for (let previous = back[0]?.previous; typeof previous === 'string'; previous = back[0]?.previous) {
      back.unshift(await get(`${path}?sort=${sort}&limit=100&before=${previous}`));
    }
    expect(back.flatMap((page) => page.rows.map((row) => row[id]))).toEqual(forward);
  });

  it('gives 50 rows where no number is named, and no more than 100', async () => {
    expect((await get(path)).rows).toHaveLength(50);
    expect((await get(`${path}?limit=100`)).rows).toHaveLength(100);
    expect(await ask(`${path}?limit=101`)).toMatchObject({ status: 400, code: 'bad-request' });
  });

  it('refuses cursors that are none of its own', async () => {
    const { next } = await get(`${path}?sort=${sort}&limit=100`);
    const ofOther = await get(`${other}?sort=username&limit=100`);
    const foreign = [
      `after=${ofOther.next}&sort=${sort}`,
      `after=${next}&sort=${sort}&descending=1`,
      `before=nonsense&sort=${sort}`,
      `after=${writeCursor({ sort, descending: false }, [1, 1])}&sort=${sort}`,
      `after=${writeCursor({ sort, descending: false }, ['a', 'b', 'c'])}&sort=${sort}`,
    ];
    for (const query of foreign) {
      expect(await ask(`${path}?${query}`), query).toMatchObject({ status: 400, code: 'bad-request' });
    }
  });

  it('takes no search for a text that cannot be stored', async () => {
    expect(await ask(`${path}?search=%00`)).toMatchObject({ status: 400, code: 'bad-text' });
    const exported = await scene.ask('admin', 'POST', `${path}/csv?search=%00`);
    expect(exported).toMatchObject({ status: 400, code: 'bad-text' });
  });
});

describe('the list of sessions', () => {
  it('leaves as a CSV file with what the table shows, and no formula in it', async () => {
    const { headers, body } = await scene.download('admin', `${SESSIONS_PATH}/csv?search=user&sort=username`);
    expect(headers['content-disposition']).toBe('attachment; filename="sessions.csv"');
    const [head, first, second, ...others] = body.trimEnd().split('\r\n');
    expect(head).toBe('\ufeffusername,display_name,address,user_agent,signed_in,last_active,ends,wall_monitor');
    const at = new Date(scene.test.clock.now).toISOString();
    const ends = new Date(scene.test.clock.now + 60_000).toISOString();
    expect(first).toBe(`user 0,'=1+1,192.0.2.7,"Firefox, ""beta""",${at},${at},${ends},yes`);
    expect(second).toMatch(/^user 1,.*,no$/);
    expect(others).toHaveLength(ROWS - 2);
  });

  it('is filtered by its member', async () => {
    const [member] = (await get(`${MEMBERS_PATH}?search=admin`)).rows;
    const { rows } = await get(`${SESSIONS_PATH}?member=${member?.id}`);
    expect(rows).toMatchObject([{ username: 'admin', isCurrent: true, mayEnd: true }]);
  });

  it('holds those of the own groups without system, and says which the caller may end', async () => {
    const { addMember, addWith, north, south, roles, test } = scene;
    const operator = await test.stores.roles.findBuiltIn('operator');
    await addWith('keeper', ['member', ...operator.permissions], [north]);
    await addMember('ann', roles.operator, [north]);
    await addMember('bob', roles.operator, [north, south]);
    await addMember('eve', roles.operator, [south]);
    for (const name of ['ann', 'bob', 'eve'])
      expect((await scene.ask(name, 'GET', '/api/user/profile')).status).toBe(200);
    const { data } = await scene.ask('keeper', 'GET', `${SESSIONS_PATH}?sort=username`);
    expect(data.rows.map(({ username, mayEnd }) => [username, mayEnd])).toEqual([
      ['ann', true],
      ['bob', false],
      ['keeper', true],
    ]);
    const { body } = await scene.download('keeper', `${SESSIONS_PATH}/csv?sort=username`);
    expect(body).not.toContain('eve');
    expect(body).toContain('bob');
  });
});
