import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../server/store/audit/auditEntry.ts';
import type { OrderPageQuery } from '../../../../server/store/devices/deviceOrderList.ts';
import type { NewDeviceOrder } from '../../../../server/store/devices/deviceOrderRows.ts';
import type { OrderEnd } from '../../../../server/store/devices/deviceOrders.ts';
import type { Device } from '../../../../server/store/devices/devices.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const LATER = wallMs(AT + 1_000);
const EXPIRY = wallMs(AT + 60_000);

describeOnBothEngines('the store of orders', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let group: number;
  let bus: Device;
  let tokens = 0;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
    group = await stores.deviceGroups.insert('Buses');
  });
  beforeEach(async () => {
    for (const table of ['device_order', 'audit', 'device', 'device_incarnation'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    bus = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup: group });
  });
  afterAll(() => database.close());

  const order = (change: Partial<NewDeviceOrder> = {}): NewDeviceOrder => ({
    token: `token ${tokens++}`,
    incarnation: bus.incarnation,
    message: 'text',
    body: '{"kind":"text"}',
    requestedBy: { id: 5, username: 'ann' },
    reason: 'device.text',
    reference: undefined,
    expiresAtMs: EXPIRY,
    ...change,
  });
  const entryOf = (id: number): AuditEntry => ({ actor: 'ann', action: 'device.command', detail: { order: id } });
  async function add(change?: Partial<NewDeviceOrder>, at = AT): Promise<number> {
    const id = await stores.deviceOrders.add(order(change), entryOf, at);
    if (id === undefined) throw new Error('no such device');
    return id;
  }
  const end = (change: Partial<OrderEnd> = {}): OrderEnd => ({ from: 'sent', state: 'done', atMs: LATER, ...change });
  const page = async (change: Partial<OrderPageQuery> = {}) => {
    const whole = { sort: 'created', descending: true, limit: 50, position: { at: 'offset', offset: 0 } } as const;
    const scope = { groups: [group], ungrouped: false };
    return stores.deviceOrders.page({ ...whole, scope, deviceId: 'BUS1', search: '', ...change });
  };
  const statesOf = async () => (await page({ descending: false }))?.rows.map(({ state }) => state);

  describe('adding', () => {
    it('keeps the order and its entry in the audit', async () => {
      const id = await add({ reference: 7 });
      expect((await page())?.rows).toEqual([
        {
          id,
          incarnation: bus.incarnation,
          deviceId: 'BUS1',
          message: 'text',
          body: '{"kind":"text"}',
          reason: 'device.text',
          reference: 7,
          requestedBy: 'ann',
          state: 'waiting',
          result: undefined,
          createdAtMs: AT,
          expiresAtMs: EXPIRY,
          sentAtMs: 0,
          finishedAtMs: 0,
          answerId: undefined,
          answeredAtMs: 0,
        },
      ]);
      expect(await stores.audit.list({ limit: 9 })).toMatchObject([{ actor: 'ann', atMs: AT, detail: { order: id } }]);
    });

    it('twice adds once, and says the same id', async () => {
      const once = order();
      const first = await stores.deviceOrders.add(once, entryOf, AT);
      expect(await stores.deviceOrders.add(once, entryOf, LATER)).toBe(first);
      expect((await page())?.total).toBe(1);
      expect(await stores.audit.list({ limit: 9 })).toHaveLength(1);
    });

    it('to a device that is gone adds nothing', async () => {
      await stores.devices.remove('BUS1');
      expect(await stores.deviceOrders.add(order(), entryOf, AT)).toBeUndefined();
      expect(await stores.audit.list({ limit: 9 })).toEqual([]);
    });

    it('takes orders of the gateway itself, and any text', async () => {
      await add({ requestedBy: undefined, reason: 'a\u0000b', body: JSON.stringify({ text: '\u0000\ud800' }) });
      const [row] = (await page())?.rows ?? [];
      expect(row).toMatchObject({ requestedBy: '', reason: 'a\ufffdb' });
      expect(JSON.parse(row?.body ?? '')).toEqual({ text: '\u0000\ud800' });
    });
  });

  describe('an order', () => {
    it('is claimed once, and again only by the same attempt', async () => {
      const id = await add();
      expect(await stores.deviceOrders.claim(id, LATER)).toBe('{"kind":"text"}');
      expect(await stores.deviceOrders.claim(id, wallMs(LATER + 1))).toBeUndefined();
      expect(await stores.deviceOrders.claim(id, LATER)).toBe('{"kind":"text"}');
      expect((await page())?.rows).toMatchObject([{ state: 'sent', sentAtMs: LATER }]);
    });

    it('is claimed before its time is over, and not from then on', async () => {
      const id = await add();
      expect(await stores.deviceOrders.claim(id, EXPIRY)).toBeUndefined();
      expect(await stores.deviceOrders.claim(id, wallMs(EXPIRY - 1))).toBeDefined();
    });

    it('waits again when the attempt that claimed it releases it', async () => {
      const id = await add();
      await stores.deviceOrders.claim(id, LATER);
      await stores.deviceOrders.release(id, AT);
      expect(await statesOf()).toEqual(['sent']);
      await stores.deviceOrders.release(id, LATER);
      expect((await page())?.rows).toMatchObject([{ state: 'waiting', sentAtMs: 0 }]);
      expect(await stores.deviceOrders.claim(id, LATER)).toBeDefined();
    });

    it('ends from the state that it is in, once', async () => {
      const id = await add();
      expect(await stores.deviceOrders.finish([id], end())).toEqual([]);
      await stores.deviceOrders.claim(id, AT);
      const refused = end({ state: 'refused', result: 3 });
      expect(await stores.deviceOrders.finish([id], refused)).toMatchObject([{ id, state: 'refused', result: 3 }]);
      expect(await stores.deviceOrders.finish([id], end({ atMs: wallMs(LATER + 1) }))).toEqual([]);
      expect((await page())?.rows).toMatchObject([{ state: 'refused', result: 3, finishedAtMs: LATER }]);
    });

    it('that ended in a commit whose answer was lost is given again, and audited once', async () => {
      const ids = [await add(), await add()];
      const failed = (each: { readonly id: number }): AuditEntry => ({
        actor: '',
        action: 'device.commandfailed',
        detail: { order: each.id },
      });
      const expired = end({ from: 'waiting', state: 'expired', entryOf: failed });
      for (let attempt = 0; attempt < 2; attempt++) {
        expect((await stores.deviceOrders.finish(ids, expired)).map(({ id }) => id)).toEqual(ids);
      }
      const entries = (await stores.audit.list({ limit: 9 })).filter(({ action }) => action === 'device.commandfailed');
      expect(entries.map(({ detail }) => detail.order).toReversed()).toEqual(ids);
    });
  });

  describe("a driver's answer", () => {
    const ask = async (serial: number, at = AT): Promise<number> => {
      const id = await add({ message: 'question' });
      await stores.deviceOrders.claim(id, at);
      await stores.deviceOrders.noteSerial(id, serial);
      return id;
    };
    const answer = (serial: number, answerId = 1, atMs = LATER) =>
      stores.deviceOrders.answer({ incarnation: bus.incarnation, serial, answerId, atMs });
    const answersOf = async (...ids: readonly number[]) =>
      Promise.all(ids.map(async (id) => (await stores.deviceOrders.find(id))?.answerId));

    it('belongs to the latest question of its serial, once', async () => {
      const [old, latest, other] = [await ask(7), await ask(7), await ask(8)];
      expect([await answer(7, 2), await answer(7, 1)]).toEqual([true, false]);
      expect(await answersOf(old, latest, other)).toEqual([undefined, 2, undefined]);
      expect(await stores.deviceOrders.find(latest)).toMatchObject({ answeredAtMs: LATER, requesterId: 5 });
    });

    it('belongs to none of another serial, another device or the day before', async () => {
      const id = await ask(7);
      const incarnation = bus.incarnation + 1;
      expect(await answer(9)).toBe(false);
      expect(await stores.deviceOrders.answer({ incarnation, serial: 7, answerId: 1, atMs: LATER })).toBe(false);
      expect(await answer(7, 1, wallMs(AT + 86_400_000))).toBe(false);
      expect(await answersOf(id)).toEqual([undefined]);
    });
  });

  it('ends an order whose commit was doubted, unless it has gone out', async () => {
    await stores.deviceOrders.add(order({ token: 'a' }), entryOf, AT);
    const sent = await add({ token: 'b' });
    await stores.deviceOrders.claim(sent, AT);
    for (const token of ['a', 'b', 'c']) await stores.deviceOrders.retract(token, LATER);
    expect(await statesOf()).toEqual(['expired', 'sent']);
  });

  describe('what a start reads', () => {
    it('are the orders that have not ended, oldest first, a part at a time', async () => {
      const [first, second, third, done] = [await add(), await add(), await add(), await add()];
      await stores.deviceOrders.claim(second, AT);
      await stores.deviceOrders.claim(done, AT);
      await stores.deviceOrders.finish([done], end());
      const common = { incarnation: bus.incarnation, deviceId: 'BUS1', reason: 'device.text', expiresAtMs: EXPIRY };
      expect(await stores.deviceOrders.unfinished(0, 2)).toEqual([
        { ...common, id: first, state: 'waiting' },
        { ...common, id: second, state: 'sent' },
      ]);
      expect(await stores.deviceOrders.unfinished(second, 2)).toEqual([{ ...common, id: third, state: 'waiting' }]);
    });

    it('are none of a device that is gone, whichever has its id now', async () => {
      await add();
      await stores.devices.remove('BUS1');
      await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup: group });
      expect(await stores.deviceOrders.unfinished(0, 9)).toEqual([]);
      expect((await page())?.rows).toEqual([]);
    });
  });

  describe('the list', () => {
    it('has the newest first, and goes on at a cursor', async () => {
      const ids: number[] = [];
      for (let at = 0; at < 5; at++) ids.push(await add({}, wallMs(AT + Math.floor(at / 2))));
      const first = await page({ limit: 2 });
      expect([first?.total, first?.rows.map(({ id }) => id)]).toEqual([5, [ids[4], ids[3]]]);
      const rest = await page({ limit: 9, position: { at: 'after', values: first?.next ?? [] } });
      expect(rest?.rows.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]]);
      expect(await page({ position: { at: 'after', values: ['no number'] } })).toBeUndefined();
    });

    it('has a state, words, and a device', async () => {
      const tram = await stores.devices.insert({ deviceId: 'TRAM1', name: 'Tram', chn: 1 });
      const [first, second] = [
        await add(),
        await add({ requestedBy: { id: 6, username: 'Bob' }, reason: 'event.confirm' }),
      ];
      await add({ incarnation: tram.incarnation });
      await stores.deviceOrders.claim(second, AT);
      const idsOf = async (change: Partial<OrderPageQuery>) => (await page(change))?.rows.map(({ id }) => id);
      expect(await idsOf({})).toEqual([second, first]);
      expect(await idsOf({ state: 'sent' })).toEqual([second]);
      expect(await idsOf({ search: 'bOB' })).toEqual([second]);
      expect(await idsOf({ search: 'CONFIRM' })).toEqual([second]);
      expect(await idsOf({ search: 'text' })).toEqual([second, first]);
      expect(await idsOf({ deviceId: 'NONE' })).toEqual([]);
    });

    it('is empty for who does not see the device', async () => {
      await add();
      expect((await page({ scope: { groups: [group + 1], ungrouped: true } }))?.total).toBe(0);
      expect((await page({ scope: { groups: [], ungrouped: false } }))?.total).toBe(0);
    });
  });

  describe('deleting', () => {
    it('takes what ended before a moment, and nothing that has not ended', async () => {
      const [old, recent] = [await add(), await add()];
      const waiting = await add();
      for (const id of [old, recent]) await stores.deviceOrders.claim(id, AT);
      await stores.deviceOrders.finish([old], end({ atMs: AT }));
      await stores.deviceOrders.finish([recent], end({ atMs: LATER }));
      await stores.deviceOrders.removeFinished(LATER);
      expect((await page())?.rows.map(({ id }) => id)).toEqual([waiting, recent]);
    });

    it('takes what is left of devices that are gone, also beyond one part', async () => {
      const tram = await stores.devices.insert({ deviceId: 'TRAM1', name: 'Tram', chn: 1, deviceGroup: group });
      await add({ incarnation: tram.incarnation });
      const rows = Array.from({ length: 1_500 }, (_, at) => ({
        token: `many ${at}`,
        incarnation: bus.incarnation,
        message: 'text',
        body: '',
        requested_by_name: '',
        reason: '',
        state: 'waiting',
        created_at_ms: AT,
        expires_at_ms: EXPIRY,
      }));
      await database.db.insertInto('device_order').values(rows).execute();
      await stores.devices.remove('BUS1');
      await stores.deviceOrders.removeOfEndedDevices();
      const left = await database.db.selectFrom('device_order').select('incarnation').execute();
      expect(left).toEqual([{ incarnation: tram.incarnation }]);
    });

    it('comes before a device that is gone is forgotten', async () => {
      await add();
      await stores.devices.remove('BUS1');
      const after = Date.now() + 1;
      expect(await stores.reportRemoval.forgetEnded(after, 9)).toBe(0);
      await stores.deviceOrders.removeOfEndedDevices();
      expect(await stores.reportRemoval.forgetEnded(after, 9)).toBe(1);
    });
  });
});
