// The list of devices: walked by cursors, refused where a cursor is none of it, exported as it was when it was asked for.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PresenceList } from '../../../../server/http/devices/presenceList.ts';
import type { DeviceRecord, NewDeviceRecord } from '../../../../server/store/devices/deviceRecordRows.ts';
import type { FoundPage, ListPosition } from '../../../../server/store/engine/listPage.ts';
import { DEVICE_SORTS, DEVICES_PATH, type DeviceRow } from '../../../../shared/protocol/api/devices.ts';
import { newDeviceRecord } from '../../../support/newDeviceRecord.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const COUNT = 250;
const LIMIT = 37;
/** Every third, up to this many. */
const ONLINE = 80;

interface Page {
  readonly total: number;
  readonly hasMoreThanTotal: boolean;
  readonly rows: readonly DeviceRow[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** Names in an order that the ids do not have; of most other columns many devices have the same. */
function device(at: number, deviceGroup: number | undefined): NewDeviceRecord {
  return newDeviceRecord(`D${at}`, {
    deviceGroup,
    name: `Bus ${(at * 101) % COUNT}`,
    plate: `P${at % 7}`,
    terminal: String(13_000 + at),
    edition: at % 3 === 0 ? undefined : '2019',
    model: `M${at % 4}`,
    chn: at % 5,
    disabled: at % 2 === 0,
  });
}

describeOnBothEngines('the list of devices', (engine) => {
  let test: TestApp;
  let cookie: string;
  beforeAll(async () => {
    test = await createTestApp({}, { engine });
    const { stores, clock } = test;
    const own = await stores.memberGroups.insert({ name: 'Own' });
    await test.addUser('chief', ['system', 'devicegroup'], [own]);
    cookie = await test.signIn('chief');
    const groups: number[] = [];
    for (const name of ['Depot', 'DEPOT', 'Annex', 'Yard', 'zoo']) groups.push(await stores.deviceGroups.insert(name));
    await stores.memberGroups.setDeviceGroups(own, groups);
    // Every sixth lies in no group.
    const added = Array.from({ length: COUNT }, (_, at) => device(at, groups[at % 6]));
    await stores.deviceRecords.import({ added, changed: [] }, clock.now);
  }, 60_000);
  beforeEach(() => {
    test.terminals.online.clear();
    for (let at = 0; at < ONLINE; at++) {
      test.terminals.online.set(`D${at * 3}`, { onlineSinceMs: 5, lastMessageAtMs: 6 });
    }
  });
  afterAll(() => test.close());

  const ask = (query: string) => test.request({ url: `${DEVICES_PATH}?${query}`, headers: { cookie } });
  const get = async (query: string): Promise<Page> => {
    const answer = await ask(query);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ data: Page }>().data;
  };
  const idsOf = ({ rows }: Page) => rows.map(({ deviceid }) => deviceid);
  /** By page numbers. */
  const whole = async (query: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let offset = 0; offset < COUNT; offset += 100)
      ids.push(...idsOf(await get(`${query}&offset=${offset}&limit=100`)));
    return ids;
  };
  /** By cursors, from the beginning to the end or from the last page to the first. */
  const walk = async (query: string, first: Page, way: 'next' | 'previous'): Promise<string[]> => {
    const pages = [idsOf(first)];
    const word = way === 'next' ? 'after' : 'before';
    for (let page = first; page[way] !== null && pages.length <= COUNT; ) {
      page = await get(`${query}&limit=${LIMIT}&${word}=${page[way]}`);
      pages.push(idsOf(page));
    }
    return (way === 'next' ? pages : pages.reverse()).flat();
  };

  it.each([
    ...DEVICE_SORTS.map((sort, at) => (at % 2 === 0 ? `sort=${sort}` : `sort=${sort}&descending=1`)),
    'sort=group&descending=1',
    'sort=group&search=bus',
    'sort=model&search=p3&edition=2019',
    'sort=name&state=online',
    'sort=group&descending=1&state=never',
    'sort=plate&state=disabled',
  ])('is walked there and back by cursors, each device once: %s', async (query) => {
    const expected = await whole(query);
    expect(expected.length).toBeGreaterThan(10);
    const first = await get(`${query}&limit=${LIMIT}`);
    expect([first.total, first.hasMoreThanTotal, first.previous]).toEqual([expected.length, false, null]);
    expect(new Set(expected).size).toBe(expected.length);
    expect(await walk(query, first, 'next')).toEqual(expected);
    const at = Math.max(0, expected.length - LIMIT);
    const last = await get(`${query}&offset=${at}&limit=${LIMIT}`);
    expect(last.next).toBeNull();
    expect(await walk(query, last, 'previous')).toEqual(expected);
  });

  it('is walked on from the name of a group that has been renamed meanwhile', async () => {
    const query = 'sort=group&search=m0';
    const { rows } = await get(`${query}&limit=100`);
    const at = rows.findIndex(({ groupName }) => groupName === 'Depot');
    const { group } = rows[at] ?? { group: null };
    const { next } = await get(`${query}&limit=1&offset=${at}`);
    await test.stores.deviceGroups.rename(group ?? 0, 'Aaa');
    const rest = await get(`${query}&limit=100&after=${next}`);
    await test.stores.deviceGroups.rename(group ?? 0, 'Depot');
    const others = rows.slice(at + 1).filter((row) => row.group !== group);
    expect(others.length).toBeGreaterThan(10);
    expect(idsOf(rest)).toEqual(others.map(({ deviceid }) => deviceid));
  });

  it('jumps to a moment in an order by time', async () => {
    const start = test.clock.now;
    expect((await get(`sort=createdAtMs&limit=1&start=${start}`)).rows).toHaveLength(1);
    expect((await get(`sort=createdAtMs&limit=1&start=${start + 1}`)).rows).toEqual([]);
    expect((await get(`sort=createdAtMs&limit=1&start=${start}&state=online`)).rows).toHaveLength(1);
    expect((await get(`sort=createdAtMs&limit=1&start=${start + 1}&state=online`)).rows).toEqual([]);
  });

  it('jumps to a number in a list by presence', async () => {
    const all = await get('sort=chn&state=online&limit=100');
    const fours = idsOf(all).slice(all.rows.findIndex(({ chn }) => chn === 4));
    const page = await get('sort=chn&state=online&limit=100&start=4');
    expect(idsOf(page)).toEqual(fours);
    expect(idsOf(await get(`sort=chn&state=online&limit=100&before=${page.previous}`))).toEqual(
      idsOf(all).slice(0, ONLINE - fours.length),
    );
  });

  it('refuses cursors that are none of the list in this order', async () => {
    const { next } = await get('sort=name&limit=3');
    const byPresence = (await get('sort=name&limit=3&state=online')).next;
    const byGroup = (await get('sort=group&limit=3')).next;
    const madeUp = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const query of [
      `sort=plate&after=${next}`,
      `sort=name&descending=1&after=${next}`,
      `sort=name&state=online&after=${next}`,
      `sort=name&after=${byPresence}`,
      `sort=deviceid&before=${byGroup}`,
      `after=${madeUp('name', 0, 5, 'd', 'D')}`,
      `after=${madeUp('name', 0, 'bus', 'b', 'B', 'more')}`,
      `sort=group&after=${madeUp('group', 0, 1, 'd', 'D')}`,
      `sort=chn&after=${madeUp('chn', 0, 'x', 'd', 'D')}`,
      `state=online&after=${madeUp('name', 0, -1)}`,
      `state=online&after=${madeUp('name', 0, 'bus')}`,
      'after=none',
      'sort=name&start=5',
      'sort=group&start=5',
      'sort=name&state=never&start=5',
    ]) {
      const answer = await ask(query);
      expect([answer.statusCode, answer.json().code], query).toEqual([400, 'bad-request']);
    }
  });

  it('refuses to search for what no text is', async () => {
    const answer = await ask('search=%00');
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'bad-text']);
  });

  it('is exported in its order, by presence too', async () => {
    for (const query of ['sort=group&descending=1', 'sort=terminal&state=online', 'sort=name&state=never']) {
      const { body } = await test.download(`${DEVICES_PATH}/csv?${query}`, cookie);
      const ids = body.trim().split('\r\n').slice(1);
      expect(ids.map((line) => line.split(',')[0])).toEqual(await whole(query));
    }
  });

  it('by presence stays what it was, whoever comes and goes between its parts', async () => {
    const { stores, terminals } = test;
    const isOnline = (id: string) => terminals.online.has(id);
    const { rows } = await get('sort=name&state=online&limit=100');
    const list = new PresenceList({ records: stores.deviceRecords, isOnline });
    const groups = (await stores.deviceGroups.list()).map(({ serialno }) => serialno);
    const scope = { groups, ungrouped: true, search: '', sort: 'name', descending: false } as const;
    const seen: string[] = [];
    let position: ListPosition | undefined = { at: 'offset', offset: 0 };
    while (position !== undefined) {
      const page: FoundPage<DeviceRecord> | undefined = await list.page({ ...scope, limit: 9, position }, true);
      seen.push(...(page?.rows.map(({ deviceId }) => deviceId) ?? []));
      position = page?.next === undefined ? undefined : { at: 'after', values: page.next };
      // The first of the list goes, and one comes that would stand before it.
      terminals.online.delete(seen[0] ?? '');
      terminals.online.set('D1', { onlineSinceMs: 7, lastMessageAtMs: 7 });
    }
    expect(seen).toEqual(rows.map(({ deviceid }) => deviceid));
  });
});
