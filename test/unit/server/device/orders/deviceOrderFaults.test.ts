// Orders when something goes wrong: the gateway ends, the device goes, the database is away, something throws.
import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderRequested } from '../../../../../server/device/orders/deviceOrders.ts';
import { BUS, createOrderScene, type OrderScene, order, quiet } from './orderScene.ts';

const DONE = { ok: true } as const;

let scene: OrderScene;
beforeEach(async () => {
  scene = await createOrderScene();
});

async function kept(text: string, change?: Parameters<typeof order>[1]) {
  const requested = await scene.orders.request(order(text, change));
  if (!requested.ok) throw new Error(`refused: ${requested.reason}`);
  await quiet();
  return requested;
}

describe('a restart', () => {
  it('loses nothing that waits', async () => {
    await kept('a');
    await kept('b');
    await scene.restart();
    const terminal = scene.enter();
    terminal.answers = DONE;
    await quiet();
    expect([terminal.texts(), scene.store.states()]).toEqual([
      ['a', 'b'],
      ['done', 'done'],
    ]);
  });

  it('repeats nothing that was on its way, and says so', async () => {
    const terminal = scene.enter();
    await kept('a');
    await kept('b');
    expect(terminal.texts()).toEqual(['a']);
    await scene.restart();
    const again = scene.enter();
    await quiet();
    expect([again.texts(), scene.store.states()]).toEqual([['b'], ['unknown', 'sent']]);
  });

  it('in order settles what is on its way, and whoever waits for the rest', async () => {
    const terminal = scene.enter();
    const first = await kept('a');
    const second = await kept('b');
    await scene.orders.close();
    expect([await first.outcome, await second.outcome]).toEqual([{ state: 'unknown' }, { state: 'waiting' }]);
    expect(scene.store.states()).toEqual(['unknown', 'waiting']);
    expect(scene.timers.pending).toBe(0);
    terminal.answer(DONE);
    await quiet();
    expect(scene.store.states()).toEqual(['unknown', 'waiting']);
    expect(await scene.orders.request(order('c'))).toEqual({ ok: false, reason: 'closed' });
  });

  it('leaves the orders of devices that are gone alone', async () => {
    await kept('a');
    scene.store.devices.delete(1);
    scene.store.devices.set(9, BUS.deviceId);
    await scene.restart();
    const later = scene.enter({ ...BUS, incarnation: 9 });
    await quiet();
    expect([later.texts(), scene.store.states()]).toEqual([[], ['waiting']]);
  });
});

describe('a device that is forgotten', () => {
  it('gets nothing of what waited for it', async () => {
    const { outcome } = await kept('a');
    scene.orders.forget(BUS.deviceId);
    expect(await outcome).toEqual({ state: 'expired' });
    const other = scene.enter();
    await quiet();
    expect(other.texts()).toEqual([]);
    other.answers = DONE;
    await kept('b');
    expect(other.texts()).toEqual(['b']);
  });

  it('gets nothing of what was being kept meanwhile', async () => {
    let commit = (): void => undefined;
    scene.store.slow = new Promise((resolve) => {
      commit = resolve;
    });
    const requested = scene.orders.request(order('a'));
    await quiet();
    scene.orders.forget(BUS.deviceId);
    const other = scene.enter();
    commit();
    const { outcome } = (await requested) as Extract<OrderRequested, { ok: true }>;
    expect([await outcome, other.texts()]).toEqual([{ state: 'expired' }, []]);
  });

  it('and has another one in its place passes nothing on', async () => {
    const { outcome } = await kept('a');
    const later = { ...BUS, incarnation: 9 };
    scene.store.devices.set(9, BUS.deviceId);
    const terminal = scene.enter(later);
    await quiet();
    expect(terminal.texts()).toEqual([]);
    await kept('b', { device: later });
    expect([await outcome, terminal.texts()]).toEqual([{ state: 'expired' }, ['b']]);
    expect(await scene.orders.request(order('c'))).toEqual({ ok: false, reason: 'no-such-device' });
  });
});

describe('a database that is away', () => {
  it('delays orders, and neither loses nor repeats one', async () => {
    const terminal = scene.enter();
    terminal.answers = DONE;
    scene.store.isAway = true;
    const requested = scene.orders.request(order('a'));
    await quiet();
    expect([terminal.texts(), scene.faults]).toEqual([[], ['an order could not be kept']]);
    scene.store.isAway = false;
    scene.timers.advance(1_000);
    expect(await requested).toMatchObject({ ok: true });
    await quiet();
    expect([terminal.texts(), scene.store.states()]).toEqual([['a'], ['done']]);
  });

  it('until the time of an order is over has it refused', async () => {
    scene.store.isAway = true;
    const requested = scene.orders.request(order('a'));
    for (let round = 0; round < 20; round++) {
      await quiet();
      scene.timers.advance(10_000);
    }
    expect(await requested).toEqual({ ok: false, reason: 'expired' });
    scene.store.isAway = false;
    scene.timers.advance(10_000);
    await quiet();
    expect(scene.timers.pending).toBe(0);
  });

  it('takes back an order that it has kept all the same, whose caller was told that it was not', async () => {
    scene.store.lostAnswers = 99;
    const requested = scene.orders.request(order('a'));
    for (let round = 0; round < 20; round++) {
      await quiet();
      scene.timers.advance(10_000);
    }
    expect(await requested).toEqual({ ok: false, reason: 'expired' });
    await quiet();
    expect(scene.store.states()).toEqual(['expired']);
    await scene.orders.close();
  });

  it.each([
    ['keeping it', 0],
    ['marking it as sent', 1],
  ])('that lost its answer on %s sends the order once', async (_when, before) => {
    const terminal = scene.enter();
    terminal.answers = DONE;
    if (before === 1) {
      scene.registry.leave(terminal.session);
      await kept('a');
      scene.store.lostAnswers = 1;
      scene.registry.enter(terminal.session);
    } else {
      scene.store.lostAnswers = 1;
      void scene.orders.request(order('a'));
    }
    await quiet();
    scene.timers.advance(1_000);
    await quiet();
    expect([terminal.texts(), scene.store.states()]).toEqual([['a'], ['done']]);
    expect(scene.store.audited).toHaveLength(1);
  });

  it('when the answer comes notes it later, and sends the next order only then', async () => {
    const terminal = scene.enter();
    const told: number[] = [];
    scene.orders.subscribe(({ id }) => told.push(id));
    const { outcome } = await kept('a');
    await kept('b');
    scene.store.isAway = true;
    terminal.answer({ ok: false, reason: 'refused', result: 1 });
    await quiet();
    expect([terminal.texts(), told]).toEqual([['a'], []]);
    scene.store.isAway = false;
    scene.store.lostAnswers = 1;
    for (let round = 0; round < 3; round++) {
      scene.timers.advance(2_000);
      await quiet();
    }
    expect(await outcome).toEqual({ state: 'refused', result: 1 });
    expect([terminal.texts(), told]).toEqual([['a', 'b'], [1]]);
    expect(scene.store.audited.filter(({ action }) => action === 'device.commandfailed')).toHaveLength(1);
  });

  it('when the gateway stops leaves the orders to the next start', async () => {
    scene.enter();
    const first = await kept('a');
    scene.store.isAway = true;
    await scene.orders.close();
    expect(await first.outcome).toEqual({ state: 'unknown' });
    scene.store.isAway = false;
    expect(scene.store.states()).toEqual(['sent']);
    await scene.restart();
    expect(scene.store.states()).toEqual(['unknown']);
  });
});

describe('a fault', () => {
  it('of one terminal ends its order and holds up nobody', async () => {
    const terminal = scene.enter();
    const { outcome } = await kept('a');
    await kept('b');
    terminal.heard[0]?.fail(new RangeError('does not fit'));
    expect(await outcome).toEqual({ state: 'unknown' });
    await quiet();
    expect([terminal.texts(), scene.faults]).toEqual([['a', 'b'], ["an order of BUS1 can't be sent"]]);
  });

  it('of a row that cannot be read ends the order', async () => {
    await kept('a');
    await kept('b');
    scene.store.change(1, { body: '{' });
    const terminal = scene.enter();
    terminal.answers = DONE;
    await quiet();
    expect([terminal.texts(), scene.store.states()]).toEqual([['b'], ['unknown', 'done']]);
    expect(scene.faults).toEqual(["an order of BUS1 can't be read"]);
  });

  it('of a subscriber affects no other', async () => {
    const terminal = scene.enter();
    terminal.answers = DONE;
    const told: unknown[] = [];
    scene.orders.subscribe(() => {
      throw new Error('no');
    });
    const unsubscribe = scene.orders.subscribe((finished) => told.push(finished));
    await kept('a', { reason: 'event.confirm', reference: 7 });
    expect(told).toMatchObject([
      { id: 1, deviceId: 'BUS1', state: 'done', reason: 'event.confirm', reference: 7, message: 'text' },
    ]);
    expect(scene.faults).toHaveLength(1);
    unsubscribe();
    await kept('b');
    expect(told).toHaveLength(1);
  });

  it('leaves no order unended when its row is gone', async () => {
    const { outcome } = await kept('a');
    scene.store.remove(1);
    scene.enter();
    expect(await outcome).toEqual({ state: 'unknown' });
  });
});

describe('the audit', () => {
  it('says who requested what of which device, and why, and nothing of the text', async () => {
    const by = { id: 5, username: 'ann', address: '192.0.2.7' };
    await kept('secret', { by });
    await kept('secret', { reason: 'event.confirm', reference: 7 });
    expect(scene.store.audited).toEqual([
      {
        actor: 'ann',
        action: 'device.command',
        target: 'BUS1',
        address: '192.0.2.7',
        detail: { order: 1, message: 'text', reason: 'test' },
      },
      {
        actor: '',
        action: 'device.autocommand',
        target: 'BUS1',
        detail: { order: 2, message: 'text', reason: 'event.confirm', reference: 7 },
      },
    ]);
  });

  it('says what was not done, and why', async () => {
    const terminal = scene.enter();
    await kept('a', { by: { id: 5, username: 'ann', address: '' } });
    await kept('b');
    await kept('c');
    terminal.answer({ ok: false, reason: 'refused', result: 3 });
    await quiet();
    terminal.answer(DONE);
    await quiet();
    scene.orders.forget(BUS.deviceId);
    await quiet();
    const failed = scene.store.audited.filter(({ action }) => action === 'device.commandfailed');
    expect(
      failed.map(({ actor, target, detail }) => [actor, target, detail?.order, detail?.state, detail?.result]),
    ).toEqual([
      ['ann', 'BUS1', 1, 'refused', 3],
      ['', 'BUS1', 3, 'unknown', undefined],
    ]);
  });
});
