// Commands to terminals by calls: text for a driver, and what administrators see of all commands.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../../../../server/app/sweep.ts';
import { DEVICE_ORDERS_LIMIT } from '../../../../server/device/orders/deviceOrders.ts';
import type { ListPage } from '../../../../shared/api/list.ts';
import {
  DEVICE_ORDERS_PATH,
  DEVICE_TEXT_PATH,
  type DeviceOrderRow,
  type DriverText,
} from '../../../../shared/protocol/api/deviceOrders.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('commands to terminals', () => {
  let test: TestApp;
  /** Sees the buses of the north, and may send their drivers texts. */
  let ann: string;
  let administrator: string;
  /** Member groups. */
  let north: number;
  let south: number;
  beforeEach(async () => {
    test = await createTestApp();
    north = await addGroup('North', [
      ['BUS1', '010'],
      ['BUS2', '000'],
    ]);
    south = await addGroup('South', [['SHIP', '100']]);
    await test.addUser('ann', ['devicetext'], [north]);
    await test.addUser('admin', ['system', 'devicegroup', 'membergroup', 'devicetext'], [north, south]);
    ann = await test.signIn('ann');
    administrator = await test.signIn('admin');
  });
  afterEach(() => test.close());

  async function addGroup(name: string, devices: readonly (readonly [string, string])[]): Promise<number> {
    const deviceGroup = await test.stores.deviceGroups.insert(name);
    const memberGroup = await test.stores.memberGroups.insert({ name });
    await test.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    for (const [deviceId, talkchs] of devices) {
      await test.stores.devices.insert({ deviceId, name: deviceId, chn: 3, talkchs, deviceGroup });
    }
    return memberGroup;
  }

  const text = (change: Partial<DriverText> = {}): DriverText => ({
    deviceid: 'BUS1',
    text: 'Back to the depot',
    speech: false,
    urgent: false,
    ...change,
  });
  const send = (body: object, cookie = ann) =>
    test.request({ method: 'POST', url: DEVICE_TEXT_PATH, headers: { cookie }, body });
  const list = async (query = '?deviceid=BUS1', cookie = administrator): Promise<ListPage<DeviceOrderRow>> => {
    const answer = await test.request({ url: DEVICE_ORDERS_PATH + query, headers: { cookie } });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };

  describe('text for a driver', () => {
    it('is kept for five minutes, and listed with who sent it', async () => {
      const answer = await send(text());
      expect(answer.statusCode, answer.body).toBe(200);
      const { order } = answer.json().data;
      expect((await list()).rows).toEqual([
        {
          id: order,
          deviceid: 'BUS1',
          message: 'text',
          text: 'Back to the depot',
          answer: '',
          reason: 'device.text',
          reference: null,
          requestedBy: 'ann',
          state: 'waiting',
          result: null,
          createdAtMs: test.clock.now,
          expiresAtMs: test.clock.now + 5 * MINUTE_MS,
          sentAtMs: 0,
          finishedAtMs: 0,
        },
      ]);
    });

    it('takes the permission for it, whatever else somebody may, and is asked for at each text', async () => {
      const others = ALL_PERMISSIONS.filter((permission) => permission !== 'devicetext');
      const ben = await test.addUser('ben', others, [north]);
      const cookie = await test.signIn('ben');
      const refused = await send(text(), cookie);
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden']);
      expect((await list()).rows).toEqual([]);
      await test.stores.users.setPermissions(ben, ['devicetext']);
      const again = await test.signIn('ben');
      expect((await send(text(), again)).statusCode).toBe(200);
    });

    it('is in the audit without its words', async () => {
      await send(text());
      const [entry] = await test.stores.audit.list({ limit: 1 });
      expect(entry).toMatchObject({ actor: 'ann', action: 'device.command', target: 'BUS1', address: '127.0.0.1' });
      expect(entry?.detail).toEqual({ order: expect.any(Number), message: 'text', reason: 'device.text' });
    });

    it.each([
      ['line ends', 'one\ntwo\r\nthree\n', 'one two three'],
      ['blanks around it', '  one ', 'one'],
      ['as many characters as it may have', '回'.repeat(500), '回'.repeat(500)],
      ['signs of a spreadsheet and of a page', '=1+1 <b>', '=1+1 <b>'],
    ])('may have %s', async (_what, given, kept) => {
      expect((await send(text({ text: given }))).statusCode).toBe(200);
      expect((await list()).rows[0]?.text).toBe(kept);
    });

    it.each([
      ['no text', { text: '' }],
      ['more characters than a terminal shows', { text: 'a'.repeat(501) }],
      ['a control character', { text: 'a\u0007b' }],
      ['a tab', { text: 'a\tb' }],
      ['a carriage return alone', { text: 'a\rb' }],
      ['a control character beyond ASCII', { text: 'a\u0085b' }],
      ['half a character', { text: 'a\ud800' }],
      ['a flag of another type', { urgent: 1 }],
      ['a field that there is not', { until: 1 }],
      ['no device', { deviceid: '' }],
    ])('is refused with %s', async (_what, change) => {
      expect((await send({ ...text(), ...change })).statusCode).toBe(400);
      expect((await list()).total).toBe(0);
    });

    it('of blanks is refused at the field', async () => {
      const answer = await send(text({ text: ' \n ' }));
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { code: 'bad-fields', data: { fields: { text: 'required' } } },
      ]);
    });

    it.each([
      ['a device of another group', 'SHIP', 404, 'no-such-device'],
      ['a device that there is not', 'NONE', 404, 'no-such-device'],
      ['a device that cannot be talked to', 'BUS2', 409, 'no-talk'],
    ])('to %s is refused', async (_what, deviceid, status, code) => {
      const answer = await send(text({ deviceid }));
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    });

    it('to a disabled device is refused', async () => {
      await test.stores.devices.update('BUS1', { disabled: true });
      expect((await send(text())).json().code).toBe('no-such-device');
    });

    it('needs a session', async () => {
      expect((await send(text(), '')).statusCode).toBe(401);
    });

    it('is refused when too many commands wait for the device', async () => {
      for (let count = 0; count < DEVICE_ORDERS_LIMIT.max; count++) expect((await send(text())).statusCode).toBe(200);
      const answer = await send(text());
      expect([answer.statusCode, answer.json().code]).toEqual([429, 'too-many-orders']);
      expect((await send(text({ deviceid: 'SHIP' }), administrator)).json().code).toBe('no-such-device');
    });
  });

  describe('the list', () => {
    it('is for administrators of devices, and has the devices of their current group', async () => {
      const ship = await test.stores.devices.findByDeviceId('SHIP');
      const order = {
        message: 'linkCheck',
        body: 'spoilt',
        requestedBy: undefined,
        reason: 'event.confirm',
        reference: 7,
      };
      const added = { ...order, token: 't', incarnation: ship?.incarnation ?? 0, expiresAtMs: test.clock.now };
      const entryOf = () => ({ actor: '', action: 'device.autocommand' }) as const;
      await test.stores.deviceOrders.add(added, entryOf, test.clock.now);
      expect((await list('?deviceid=SHIP')).rows).toEqual([]);
      const choose = { method: 'PUT', url: '/api/system/member', headers: { cookie: administrator } } as const;
      expect((await test.request({ ...choose, body: { self: true, membergroup: south } })).statusCode).toBe(200);
      expect((await list('?deviceid=SHIP')).rows).toMatchObject([
        { message: 'linkCheck', text: '', requestedBy: '', reason: 'event.confirm', reference: 7 },
      ]);
      const asked = (query: string, cookie: string) =>
        test.request({ url: DEVICE_ORDERS_PATH + query, headers: { cookie } });
      expect((await asked('?deviceid=BUS1', ann)).statusCode).toBe(403);
      expect((await asked('', administrator)).statusCode, 'of no device').toBe(400);
    });

    it('has the newest first, a state, and pages', async () => {
      for (const word of ['a', 'b', 'c']) {
        await send(text({ text: word }));
        test.clock.now = wallMs(test.clock.now + 1_000);
      }
      const [newest] = (await list()).rows;
      await test.stores.deviceOrders.claim(newest?.id ?? 0, test.clock.now);
      const refused = { from: 'sent', state: 'refused', result: 3, atMs: test.clock.now } as const;
      await test.stores.deviceOrders.finish([newest?.id ?? 0], refused);
      const first = await list('?deviceid=BUS1&limit=2');
      expect([first.total, first.rows.map((row) => [row.text, row.state, row.result])]).toEqual([
        3,
        [
          ['c', 'refused', 3],
          ['b', 'waiting', null],
        ],
      ]);
      expect((await list(`?deviceid=BUS1&limit=2&after=${first.next}`)).rows.map((row) => row.text)).toEqual(['a']);
      expect((await list('?deviceid=BUS1&state=refused')).rows.map((row) => row.text)).toEqual(['c']);
      expect((await list('?deviceid=BUS1&search=nobody')).total).toBe(0);
    });

    it('is a file, with an apostrophe before what would be a formula', async () => {
      await send(text({ text: '=1+1' }));
      const file = await test.download(`${DEVICE_ORDERS_PATH}/csv?deviceid=BUS1`, administrator);
      const [, line] = file.body.split('\r\n');
      expect(line).toContain(",BUS1,text,'=1+1,,device.text,,ann,waiting,,2026-");
    });
  });

  it('are deleted ninety days after they ended, and with their device', async () => {
    const ids: number[] = [];
    for (const ageMs of [90 * DAY_MS + 1, 90 * DAY_MS]) {
      const id = (await send(text())).json().data.order;
      const atMs = wallMs(test.clock.now - ageMs);
      await test.stores.deviceOrders.finish([id], { from: 'waiting', state: 'expired', atMs });
      ids.push(id);
    }
    const waiting = (await send(text())).json().data.order;
    await sweep(test.stores, test.clock.now, () => undefined);
    expect((await list()).rows.map(({ id }) => id)).toEqual([waiting, ids[1]]);
    await test.stores.devices.remove('BUS1');
    await sweep(test.stores, test.clock.now, () => undefined);
    expect(await test.stores.reportRemoval.forgetEnded(Date.now() + DAY_MS, 9), 'nothing is left').toBe(1);
  });
});
