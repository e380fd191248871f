import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FoundPage, ListPosition, PageRequest } from '../../../../server/store/engine/listPage.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { GROUP_SORTS, MEMBER_SORTS, SESSION_SORTS } from '../../../../shared/protocol/api/accounts.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const ROWS = 250;
const PAGE = 60;
const START: ListPosition = { at: 'offset', offset: 0 };

interface List<Sort extends string> {
  readonly sorts: readonly Sort[];
  readonly load: (request: PageRequest<Sort>) => Promise<FoundPage<number | string> | undefined>;
}

async function walk(
  load: (position: ListPosition) => Promise<FoundPage<number | string> | undefined>,
  begin: ListPosition,
): Promise<FoundPage<number | string>[]> {
  const pages: FoundPage<number | string>[] = [];
  let position: ListPosition | undefined = begin;
  while (position !== undefined && pages.length <= ROWS / PAGE + 1) {
    const page: FoundPage<number | string> | undefined = await load(position);
    if (page === undefined) throw new Error('the list does not know its own cursor');
    pages.push(page);
    const isBackward = begin.at === 'before';
    const values = isBackward ? page.previous : page.next;
    position = values === undefined ? undefined : { at: isBackward ? 'before' : 'after', values };
  }
  return pages;
}

describeOnBothEngines('the lists of the accounts', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    await fill(stores);
  }, 60_000);
  afterAll(() => database.close());

  // Some rows of each kind are alike in all that can be sorted by.
  async function fill({ members, memberGroups, memberGroupEditing, roles, sessions }: Stores): Promise<void> {
    const role = (await roles.findBuiltIn('operator')).id;
    for (let at = 0; at < ROWS; at++) {
      const expiresAtMs = wallMs(AT + (at % 3));
      const user = {
        username: `${at % 2 === 0 ? 'Ä' : 'b'}${at}`,
        displayName: `Name ${at % 7}`,
        passwordHash: 'h',
        permissions: [],
        role: at % 5 === 0 ? undefined : role,
        expiresAtMs,
      };
      const added = await members.insert(user, [], wallMs(AT + (at % 11)));
      if (!added.ok) throw new Error(added.reason);
      const serialno = await memberGroups.insert({ name: `Group ${at % 4}`, retentionDays: at % 6, expiresAtMs });
      if (at % 3 === 0) await memberGroupEditing.addPeople(serialno, [added.value]);
      await sessions.insert({
        idHash: at.toString(16).padStart(4, '0').repeat(16),
        userId: added.value,
        memberGroup: undefined,
        wallMonitor: false,
        createdAtMs: wallMs(AT - (at % 9)),
        lastSeenAtMs: wallMs(AT - (at % 2)),
        idleEndsAtMs: wallMs(AT + 1_000),
        endsAtMs: wallMs(AT + 1_000),
        address: `192.0.2.${at % 8}`,
        userAgent: 'test',
      });
    }
  }

  const ids = <Row>(page: FoundPage<Row> | undefined, idOf: (row: Row) => number | string) =>
    page === undefined ? undefined : { ...page, rows: page.rows.map(idOf) };
  const memberList: List<(typeof MEMBER_SORTS)[number]> = {
    sorts: MEMBER_SORTS,
    load: async (request) => ids(await stores.members.page({ ...request, search: '', at: AT }), ({ id }) => id),
  };
  const groupList: List<(typeof GROUP_SORTS)[number]> = {
    sorts: GROUP_SORTS,
    load: async (request) =>
      ids(await stores.memberGroupEditing.page({ ...request, search: '' }), ({ serialno }) => serialno),
  };
  const sessionList: List<(typeof SESSION_SORTS)[number]> = {
    sorts: SESSION_SORTS,
    load: async (request) =>
      ids(await stores.sessionList.page({ ...request, search: '', at: AT }), ({ handle }) => handle),
  };

  async function expectWhole<Sort extends string>({ load }: List<Sort>, sort: Sort, descending: boolean) {
    const loadPage = (position: ListPosition) => load({ sort, descending, limit: PAGE, position });
    const whole = await load({ sort, descending, limit: ROWS, position: START });
    expect(whole?.total).toBe(ROWS);
    expect(new Set(whole?.rows).size).toBe(ROWS);
    const forward = await walk(loadPage, START);
    expect(forward.flatMap(({ rows }) => rows)).toEqual(whole?.rows);
    const last = forward.at(-1);
    expect(last?.next).toBeUndefined();
    const backward = await walk(loadPage, { at: 'before', values: last?.previous ?? [] });
    expect(backward.at(-1)?.previous).toBeUndefined();
    const again = [...backward.reverse(), last].flatMap((page) => page?.rows ?? []);
    expect(again).toEqual(whole?.rows);
  }

  const orders = [false, true];
  it.each(MEMBER_SORTS.flatMap((sort) => orders.map((descending) => [sort, descending] as const)))(
    'members by %s, descending %s: cursors give each once, there and back',
    (sort, descending) => expectWhole(memberList, sort, descending),
  );
  it.each(GROUP_SORTS.flatMap((sort) => orders.map((descending) => [sort, descending] as const)))(
    'member groups by %s, descending %s: cursors give each once, there and back',
    (sort, descending) => expectWhole(groupList, sort, descending),
  );
  it.each(SESSION_SORTS.flatMap((sort) => orders.map((descending) => [sort, descending] as const)))(
    'sessions by %s, descending %s: cursors give each once, there and back',
    (sort, descending) => expectWhole(sessionList, sort, descending),
  );

  it('refuse a place that is none of theirs', async () => {
    const request = { descending: false, limit: PAGE };
    const after = (...values: (string | number)[]) => ({ at: 'after', values }) as const;
    for (const position of [after(), after(1), after(1, 1), after('a', 'b'), after('a', 1, 1)]) {
      expect(await memberList.load({ ...request, sort: 'username', position })).toBeUndefined();
    }
    expect(await groupList.load({ ...request, sort: 'people', position: after('a', 1) })).toBeUndefined();
    expect(await sessionList.load({ ...request, sort: 'address', position: after('a', 1) })).toBeUndefined();
  });

  it('name a session in a cursor by its handle, never by the stored hash', async () => {
    const page = await sessionList.load({ sort: 'address', descending: false, limit: 1, position: START });
    expect(page?.next).toEqual(['192.0.2.0', page?.rows[0]]);
    expect(String(page?.rows[0])).toHaveLength(20);
  });

  it('find members of a page by their ids, and leave out who is gone', async () => {
    const first = await stores.members.page({
      sort: 'createdAtMs',
      descending: false,
      limit: 2,
      position: START,
      search: '',
      at: AT,
    });
    const [one, two] = first?.rows ?? [];
    const found = await stores.members.findAll([one?.id ?? 0, two?.id ?? 0, 999_999]);
    expect([...found.values()].sort((a, b) => a.id - b.id)).toEqual(
      [one, two].sort((a, b) => (a?.id ?? 0) - (b?.id ?? 0)),
    );
  });
});
