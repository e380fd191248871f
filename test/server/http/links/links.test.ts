import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListPage } from '../../../../shared/api/list.ts';
import { LINK_SORTS, type LinkRow, type NewLink } from '../../../../shared/protocol/api/links.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const LINKS = '/api/link/links';
const DAY_MS = 86_400_000;

describe('links', () => {
  let test: TestApp;
  let north: number;
  let south: number;
  let manager: string;

  beforeEach(async () => {
    test = await createTestApp();
    north = await addGroup('North', ['BUS1', 'BUS2']);
    south = await addGroup('South', ['SHIP']);
    await test.addUser('manager', ['link'], [north]);
    manager = await test.signIn('manager');
  });
  afterEach(() => test.close());

  async function addGroup(name: string, devices: readonly string[]): Promise<number> {
    const deviceGroup = await test.stores.deviceGroups.insert(name);
    const memberGroup = await test.stores.memberGroups.insert({ name });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    for (const deviceId of devices)
      await test.stores.devices.insert({
        deviceId,
        name: `${deviceId} of ${name}`,
        plate: `KEE-${deviceId}`,
        chn: 4,
        deviceGroup,
      });
    return memberGroup;
  }

  const newLink = (more: Partial<NewLink> = {}): NewLink => ({
    deviceid: 'BUS1',
    channels: [1, 3],
    kinds: ['live'],
    untilMs: test.clock.now + DAY_MS,
    note: 'for the insurer',
    ...more,
  });
  const make = (body: unknown, cookie = manager) =>
    test.request({ method: 'POST', url: LINKS, headers: { cookie }, body: body as object });
  const revoke = (id: number | string, cookie = manager) =>
    test.request({ method: 'DELETE', url: `${LINKS}/${id}`, headers: { cookie } });
  const list = async (query = '', cookie = manager): Promise<ListPage<LinkRow>> => {
    const answer = await test.request({ url: LINKS + query, headers: { cookie } });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  const open = (device: string, username: string, credential: string) =>
    test.request({
      url: '/api/device/device',
      query: { deviceid: device, username, credential },
      remoteAddress: '203.0.113.9',
    });

  it('open the device with what is said when they are made, and never again once revoked', async () => {
    const made = await make(newLink());
    expect(made.statusCode, made.body).toBe(200);
    const { id, device, username, credential } = made.json().data;
    expect([device, username]).toEqual(['BUS1@5', 'manager']);
    expect(credential).toMatch(/^\w{27}$/);
    expect((await open('BUS1', username, credential)).statusCode).toBe(200);
    expect((await open('BUS2', username, credential)).statusCode).toBe(403);

    expect((await revoke(id)).statusCode).toBe(200);
    expect((await open('BUS1', username, credential)).statusCode).toBe(403);
    expect((await revoke(id)).statusCode).toBe(200);
    expect((await list()).rows[0]).toMatchObject({ state: 'revoked', revokedAtMs: test.clock.now });
  });

  it('are listed with everything but the credential', async () => {
    const { id, credential } = (await make(newLink({ note: '  for the insurer ' }))).json().data;
    const answer = await list();
    expect(answer).toEqual({
      total: 1,
      hasMoreThanTotal: false,
      next: null,
      previous: null,
      rows: [
        {
          id,
          deviceid: 'BUS1',
          name: 'BUS1 of North',
          plate: 'KEE-BUS1',
          owner: 'manager',
          channels: [1, 3],
          kinds: ['live'],
          note: 'for the insurer',
          state: 'active',
          createdAtMs: test.clock.now,
          untilMs: test.clock.now + DAY_MS,
          revokedAtMs: 0,
          lastUsedAtMs: 0,
          useCount: 0,
          lastAddress: '',
        },
      ],
    });
    expect(JSON.stringify(answer)).not.toContain(credential);
    expect(JSON.stringify(await test.stores.audit.list({ limit: 99 }))).not.toContain(credential);
  });

  it.each([
    ['a device of a foreign group', { deviceid: 'SHIP' }, { deviceid: 'unknown' }],
    ['a device that there is not', { deviceid: 'NONE' }, { deviceid: 'unknown' }],
    ['no channel', { channels: [] }, { channels: 'required' }],
    ['a channel that the device does not have', { channels: [5] }, { channels: 'out-of-range' }],
    ['no kind', { kinds: [] }, { kinds: 'required' }],
    ['saving recordings, which the maker may not', { kinds: ['live', 'export'] }, { kinds: 'not-allowed' }],
    ['an end that has passed', { untilMs: 1 }, { untilMs: 'in-the-past' }],
    ['two faults', { channels: [], kinds: [] }, { channels: 'required', kinds: 'required' }],
  ] as const)('are refused for %s, at the field', async (_, part, fields) => {
    const answer = await make({ ...newLink(), ...part });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: true, code: 'bad-fields', data: { fields } });
    expect((await list()).total).toBe(0);
  });

  it.each([
    ['an unknown kind', { kinds: ['all'] }],
    ['a channel 33', { channels: [33] }],
    ['a note of two lines', { note: 'a\nb' }],
    ['a field too many', { secret: 'x' }],
    ['a missing field', { note: undefined }],
  ])('are refused for %s, which no form sends', async (_, part) => {
    expect((await make({ ...newLink(), ...part })).statusCode).toBe(400);
  });

  it('take no end for one that never comes', async () => {
    await make(newLink({ untilMs: 0 }));
    test.clock.now = wallMs(test.clock.now + 10_000 * DAY_MS);
    await test.addUser('later', ['link', 'system'], [north]);
    expect((await list('', await test.signIn('later'))).rows[0]).toMatchObject({ state: 'active', untilMs: 0 });
  });

  it('are filtered by state, device and words, and sorted', async () => {
    const first = (await make(newLink({ note: '100% sure' }))).json().data.id;
    const second = (await make(newLink({ deviceid: 'BUS2', untilMs: 0, note: 'b' }))).json().data.id;
    const third = (await make(newLink({ untilMs: test.clock.now + 60_000, note: 'A' }))).json().data.id;
    await revoke(second);
    test.clock.now = wallMs(test.clock.now + 60_000);
    const ids = async (query: string) => (await list(query)).rows.map(({ id }) => id);
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('?state=active')).toEqual([first]);
    expect(await ids('?state=expired')).toEqual([third]);
    expect(await ids('?state=revoked')).toEqual([second]);
    expect(await ids('?deviceid=BUS2')).toEqual([second]);
    expect(await ids('?search=kee-bus2')).toEqual([second]);
    expect(await ids('?search=100%25')).toEqual([first]);
    expect(await ids('?search=_')).toEqual([]);
    expect(await ids('?sort=note')).toEqual([first, third, second]);
    expect(await ids('?sort=note&descending=1')).toEqual([second, third, first]);
    expect(await ids('?sort=until')).toEqual([third, first, second]);
    expect(await list('?sort=created&limit=1&offset=1')).toMatchObject({ total: 3, rows: [{ id: second }] });
    for (const query of ['?sort=secret_hash', '?limit=101', '?limit=0', '?other=1', '?state=odd'])
      expect((await test.request({ url: LINKS + query, headers: { cookie: manager } })).statusCode, query).toBe(400);
  });

  it('are paged by places in every order, and from a date on', async () => {
    const made: number[] = [];
    for (let at = 0; at < 5; at++) {
      test.clock.now = wallMs(test.clock.now + 1_000);
      // Notes and ends that are alike, and one without an end.
      made.push((await make(newLink({ note: `note ${at % 2}`, untilMs: at === 4 ? 0 : 2e12 }))).json().data.id);
    }
    for (const sort of LINK_SORTS)
      for (const order of [`?sort=${sort}`, `?sort=${sort}&descending=1`]) {
        const whole = (await list(order)).rows.map(({ id }) => id);
        expect([...whole].sort((a, b) => a - b)).toEqual(made);
        const found: number[] = [];
        let page = await list(`${order}&limit=2`);
        for (; page.next !== null; page = await list(`${order}&limit=2&after=${page.next}`))
          found.push(...page.rows.map(({ id }) => id));
        found.push(...page.rows.map(({ id }) => id));
        expect(found, order).toEqual(whole);
        const before = await list(`${order}&limit=2&before=${page.previous}`);
        expect(
          before.rows.map(({ id }) => id),
          order,
        ).toEqual(whole.slice(2, 4));
      }
    const from = await list(`?sort=created&start=${test.clock.now - 1_500}`);
    expect(from).toMatchObject({ total: 5, rows: [{ id: made[3] }, { id: made[4] }], next: null });
    expect((await test.request({ url: `${LINKS}?sort=note&start=1`, headers: { cookie: manager } })).statusCode).toBe(
      400,
    );
  });

  it("are one's own; with system those of others for devices of the current group too", async () => {
    const own = (await make(newLink())).json().data.id;
    await test.addUser('other', ['link'], [north]);
    await test.addUser('admin of north', ['link', 'system'], [north]);
    await test.addUser('admin of south', ['link', 'system'], [south]);
    const [other, inNorth, inSouth] = await Promise.all(
      ['other', 'admin of north', 'admin of south'].map((name) => test.signIn(name)),
    );
    expect((await list('', other)).total).toBe(0);
    expect((await list('', inSouth)).total).toBe(0);
    expect((await list('', inNorth)).rows).toMatchObject([{ id: own, owner: 'manager' }]);
    expect((await revoke(own, other)).json()).toMatchObject({ code: 'no-such-link' });
    expect((await revoke(own, inSouth)).statusCode).toBe(404);
    expect((await list()).rows[0]?.state).toBe('active');
    expect((await revoke(own, inNorth)).statusCode).toBe(200);
    expect((await list()).rows[0]?.state).toBe('revoked');
  });

  it('can be taken back by their maker although the device has moved out of sight', async () => {
    const { id } = (await make(newLink())).json().data;
    await test.stores.devices.update('BUS1', { deviceGroup: undefined });
    expect((await list()).total).toBe(1);
    expect((await make(newLink())).statusCode).toBe(422);
    expect((await revoke(id)).statusCode).toBe(200);
  });

  it('leave in the audit who made and revoked which', async () => {
    const { id } = (await make(newLink())).json().data;
    await revoke(id);
    await revoke(id);
    const entries = await test.stores.audit.list({ limit: 9 });
    expect(entries.filter(({ action }) => action.startsWith('link.'))).toMatchObject([
      { action: 'link.revoke', actor: 'manager', target: 'BUS1', before: { id, note: 'for the insurer' } },
      { action: 'link.add', actor: 'manager', target: 'BUS1', after: { id, channels: [1, 3], kinds: ['live'] } },
    ]);
  });

  it('are noted when they are used: a page counts, what it then asks for is the same use', async () => {
    const { username, credential } = (await make(newLink({ kinds: ['live', 'playback'] }))).json().data;
    await open('BUS1', username, credential);
    const query = { deviceid: 'BUS1', username, credential, from: '0', to: '1' };
    await test.request({ url: '/api/playback/local/ranges', query, remoteAddress: '203.0.113.9' });
    await open('BUS1', username, 'wrong');
    expect(test.uses).toEqual([
      { credential, address: '203.0.113.9', opens: true },
      { credential, address: '203.0.113.9', opens: false },
    ]);
  });

  it('come as CSV with all rows of the filter, and no formula in it', async () => {
    await make(newLink({ note: '=HYPERLINK("http://evil.test")' }));
    for (let at = 0; at < 3; at++) await make(newLink({ deviceid: 'BUS2', note: `note ${at}` }));
    const answer = await test.download(`${LINKS}/csv?deviceid=BUS1`, manager);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, row, end] = answer.body.split('\r\n');
    expect(head).toMatch(/^\ufeffid,deviceid,device,/);
    expect(row).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
    expect(row).toContain(',1 3,live,');
    expect(end).toBe('');
    const whole = await test.download(`${LINKS}/csv`, manager);
    expect(whole.body.trim().split('\r\n')).toHaveLength(5);
  });

  it('offer the devices that the current group sees, found by id, name and plate', async () => {
    const devices = async (search: string) => {
      const answer = await test.request({ url: '/api/link/devices', query: { search }, headers: { cookie: manager } });
      return answer.json().data.map(({ deviceid }: { deviceid: string }) => deviceid);
    };
    expect(await devices('')).toEqual(['BUS1', 'BUS2']);
    expect(await devices('kee-bus2')).toEqual(['BUS2']);
    expect(await devices('ship')).toEqual([]);
    await test.stores.devices.update('BUS1', { disabled: true });
    expect(await devices('of north')).toEqual(['BUS2']);
  });

  it('ask for the permission', async () => {
    await test.addUser('operator', ['member', 'system'], [north]);
    const operator = await test.signIn('operator');
    expect((await make(newLink(), operator)).statusCode).toBe(403);
    expect((await revoke(1, operator)).statusCode).toBe(403);
    expect((await revoke('0x1')).statusCode).toBe(400);
    expect((await revoke(999)).statusCode).toBe(404);
  });
});

describe("our own pages' credentials", () => {
  let test: TestApp;
  let cookie: string;
  let userId: number;
  let memberGroup: number;

  beforeEach(async () => {
    test = await createTestApp();
    const deviceGroup = await test.stores.deviceGroups.insert('North');
    memberGroup = await test.stores.memberGroups.insert({ name: 'North' });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    await test.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 4, deviceGroup });
    await test.stores.devices.insert({ deviceId: 'ALONE', name: 'Alone', chn: 4 });
    userId = await test.addUser('Chen / Yu', [], [memberGroup]);
    cookie = await test.signIn('Chen / Yu');
  });
  afterEach(() => test.close());

  const view = (deviceid: string, kinds: readonly string[]) =>
    test.request({ method: 'POST', url: '/api/device/view', headers: { cookie }, body: { deviceid, kinds } });
  const open = (link: string) => {
    const [deviceid = '', username = '', credential = ''] = link.split('/').map(decodeURIComponent);
    return test.request({ url: '/api/device/device', query: { deviceid, username, credential } });
  };

  it('open what the session sees, and end with it', async () => {
    const answer = await view('BUS1', ['live', 'remote', 'playback', 'control']);
    expect(answer.json().data).toEqual({
      link: expect.stringMatching(/^BUS1\/Chen%20%2F%20Yu\/[0-9a-f]{40}$/),
      kinds: ['live', 'playback', 'remote', 'control'],
    });
    const { link } = answer.json().data;
    expect((await open(link)).statusCode).toBe(200);
    await test.request({ url: '/api/user/logout', headers: { cookie } });
    expect((await open(link)).statusCode).toBe(403);
  });

  it('end when the session turns to a group that does not see the device', async () => {
    const { link } = (await view('BUS1', ['live'])).json().data;
    await test.stores.memberGroups.setDeviceGroups(memberGroup, []);
    expect((await open(link)).statusCode).toBe(403);
  });

  it('take recordings away only with export', async () => {
    expect((await view('BUS1', ['playback', 'export'])).json().data.kinds).toEqual(['playback']);
    await test.stores.users.setPermissions(userId, ['export']);
    expect((await view('BUS1', ['playback', 'export'])).json().data.kinds).toEqual(['playback', 'export']);
  });

  it('are the same for the same question, in no list, and other for another', async () => {
    const links = await Promise.all([view('BUS1', ['live']), view('BUS1', ['live']), view('BUS1', ['remote'])]);
    const [one, again, other] = links.map((answer) => answer.json().data.link);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    const page = await test.stores.linkList.page({
      ownerId: userId,
      search: '',
      now: test.clock.now,
      sort: 'created',
      descending: true,
      limit: 9,
      position: { at: 'offset', offset: 0 },
    });
    expect(page).toMatchObject({ total: 0, rows: [] });
    const second = await test.signIn('Chen / Yu');
    cookie = second;
    expect((await view('BUS1', ['live'])).json().data.link).not.toBe(one);
  });

  it('are refused for devices out of sight, disabled or unknown', async () => {
    await test.stores.devices.insert({ deviceId: 'OFF', name: 'Off', chn: 1, disabled: true });
    for (const deviceid of ['ALONE', 'OFF', 'NONE'])
      expect((await view(deviceid, ['live'])).json(), deviceid).toMatchObject({ code: 'no-such-device' });
    await test.stores.devices.update('BUS1', { disabled: true });
    expect((await view('BUS1', ['live'])).statusCode).toBe(404);
  });
});
