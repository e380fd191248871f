import { beforeEach, describe, expect, it } from 'vitest';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { createOrderScene, type OrderScene, order, quiet, TRAM } from './orderScene.ts';

const DONE = { ok: true } as const;
const NO_ANSWER = { ok: false, reason: 'timeout' } as const;

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

describe('an order', () => {
  it('goes out at once when its terminal is here, and ends with the answer', async () => {
    const terminal = scene.enter();
    const { id, outcome } = await kept('a');
    expect([id, terminal.texts(), scene.store.states()]).toEqual([1, ['a'], ['sent']]);
    terminal.answer(DONE);
    expect(await outcome).toEqual({ state: 'done' });
    expect(scene.store.states()).toEqual(['done']);
  });

  it.each([
    [
      { ok: false, reason: 'refused', result: 3 },
      { state: 'refused', result: 3 },
    ],
    [{ ok: false, reason: 'timeout' }, { state: 'no-answer' }],
    [{ ok: false, reason: 'closed' }, { state: 'unknown' }],
  ] as const)('whose command comes to %j ends as %j', async (result, expected) => {
    const terminal = scene.enter();
    const { outcome } = await kept('a');
    terminal.answer(result);
    expect(await outcome).toEqual(expected);
    expect(scene.store.row(1)).toMatchObject(expected);
  });

  it('waits for its terminal to sign in, and goes out once', async () => {
    await kept('a');
    expect(scene.store.states()).toEqual(['waiting']);
    scene.enter(TRAM);
    await quiet();
    expect(scene.store.states()).toEqual(['waiting']);
    expect(scene.orders.openCount).toBe(1);
    const terminal = scene.enter();
    await quiet();
    terminal.answer(DONE);
    await quiet();
    const again = scene.enter();
    await quiet();
    expect([terminal.texts(), again.texts(), scene.store.states()]).toEqual([['a'], [], ['done']]);
    expect(scene.orders.openCount).toBe(0);
  });

  it('goes out after those before it, each when the one before has ended', async () => {
    const terminal = scene.enter();
    const requests = ['a', 'b', 'c'].map((text) => scene.orders.request(order(text)));
    await quiet();
    expect(terminal.texts()).toEqual(['a']);
    terminal.answer(NO_ANSWER);
    await quiet();
    expect([terminal.texts(), scene.store.states()]).toEqual([
      ['a', 'b'],
      ['no-answer', 'sent', 'waiting'],
    ]);
    terminal.answer(DONE);
    await quiet();
    terminal.answer(DONE);
    await quiet();
    expect(terminal.texts()).toEqual(['a', 'b', 'c']);
    expect((await Promise.all(requests)).map((each) => each.ok && each.id)).toEqual([1, 2, 3]);
  });

  it('does not wait for other devices', async () => {
    const bus = scene.enter();
    const tram = scene.enter(TRAM);
    await kept('a');
    await kept('b', { device: TRAM });
    expect([bus.texts(), tram.texts()]).toEqual([['a'], ['b']]);
  });

  it('is marked as sent before it goes out', async () => {
    const terminal = scene.enter();
    let commit = (): void => undefined;
    scene.store.slow = new Promise((resolve) => {
      commit = resolve;
    });
    void scene.orders.request(order('a'));
    await quiet();
    expect([scene.store.states(), terminal.texts()]).toEqual([[], []]);
    commit();
    await quiet();
    expect([scene.store.states(), terminal.texts()]).toEqual([['sent'], ['a']]);
  });

  it('that cannot be sent to any terminal is refused before it is kept', async () => {
    const body = { kind: 'text', flags: 900, text: 'a' } as const;
    await expect(scene.orders.request(order('', { body }))).rejects.toThrow(RangeError);
    expect(scene.store.rows).toEqual([]);
  });

  it('of a device that is gone is refused', async () => {
    scene.store.devices.delete(1);
    expect(await scene.orders.request(order('a'))).toEqual({ ok: false, reason: 'no-such-device' });
  });

  it('that has expired already is refused', async () => {
    scene.timers.advance(60_000);
    expect(await scene.orders.request(order('a'))).toEqual({ ok: false, reason: 'expired' });
  });
});

describe('an order that does not go out', () => {
  it('waits for the next connection when this one is over', async () => {
    const terminal = scene.enter();
    terminal.answers = { ok: false, reason: 'closed', isUnsent: true };
    const { outcome } = await kept('a');
    expect([terminal.texts(), scene.store.states()]).toEqual([['a'], ['waiting']]);
    const next = scene.enter();
    await quiet();
    next.answer(DONE);
    expect(await outcome).toEqual({ state: 'done' });
    expect(terminal.texts()).toHaveLength(1);
  });

  it('is tried again after a while when the connection has too many commands', async () => {
    const terminal = scene.enter();
    terminal.answers = { ok: false, reason: 'timeout', isUnsent: true };
    await kept('a');
    expect([terminal.texts(), scene.store.states()]).toEqual([['a'], ['waiting']]);
    terminal.answers = DONE;
    scene.timers.advance(30_000);
    await quiet();
    expect([terminal.texts(), scene.store.states()]).toEqual([['a', 'a'], ['done']]);
  });

  it('because the terminal left while the database was slow waits', async () => {
    const terminal = scene.enter();
    await kept('a');
    let commit = (): void => undefined;
    scene.store.slow = new Promise((resolve) => {
      commit = resolve;
    });
    terminal.answer(DONE);
    void scene.orders.request(order('b'));
    await quiet();
    commit();
    scene.registry.leave(terminal.session);
    await quiet();
    expect(scene.store.states()).toEqual(['done', 'waiting']);
    expect(terminal.texts()).toEqual(['a']);
  });

  it('because its time was over while the database was slow expires', async () => {
    const terminal = scene.enter();
    const first = await kept('a');
    const second = await kept('b');
    let commit = (): void => undefined;
    terminal.answer(DONE);
    await first.outcome;
    scene.store.slow = new Promise((resolve) => {
      commit = resolve;
    });
    await quiet();
    scene.timers.advance(60_000);
    commit();
    await quiet();
    scene.timers.advance(1_000);
    expect(await second.outcome).toEqual({ state: 'expired' });
    expect(terminal.texts()).toEqual(['a']);
  });
});

describe('a terminal that leaves a command unanswered', () => {
  it('gets the next once it has shown that it is there', async () => {
    const terminal = scene.enter();
    terminal.answers = NO_ANSWER;
    terminal.isThere = false;
    await kept('a');
    await kept('b', { expiresAtMs: wallMs(600_000) });
    expect([terminal.texts(), terminal.probes]).toEqual([['a'], 1]);
    scene.timers.advance(30_000);
    await quiet();
    expect([terminal.texts(), terminal.probes]).toEqual([['a'], 2]);
    terminal.isThere = true;
    terminal.answers = DONE;
    scene.timers.advance(30_000);
    await quiet();
    expect(scene.store.states()).toEqual(['no-answer', 'done']);
  });

  it('and is there gets the next at once', async () => {
    const terminal = scene.enter();
    terminal.answers = NO_ANSWER;
    await kept('a');
    await kept('b');
    expect(terminal.texts()).toEqual(['a', 'b']);
  });

  it('gets the next at once when it signs in again', async () => {
    const terminal = scene.enter();
    terminal.answers = NO_ANSWER;
    terminal.isThere = false;
    await kept('a');
    await kept('b');
    const again = scene.enter();
    await quiet();
    expect([again.texts(), again.probes]).toEqual([['b'], 0]);
  });
});

describe('an order that waits too long', () => {
  it('expires by itself, whether its terminal comes or not', async () => {
    const first = await kept('a');
    const second = await kept('b', { device: TRAM, expiresAtMs: wallMs(90_000) });
    scene.timers.advance(60_000);
    expect(await first.outcome).toEqual({ state: 'expired' });
    expect(scene.store.states()).toEqual(['expired', 'waiting']);
    scene.timers.advance(30_000);
    expect(await second.outcome).toEqual({ state: 'expired' });
    scene.enter();
    await quiet();
    expect([scene.store.states(), scene.timers.pending]).toEqual([['expired', 'expired'], 0]);
  });

  it('expires in time though one that was requested before it has longer', async () => {
    await kept('a', { expiresAtMs: wallMs(10 * 86_400_000) });
    await kept('b', { expiresAtMs: wallMs(5_000) });
    scene.timers.advance(5_000);
    await quiet();
    expect(scene.store.states()).toEqual(['waiting', 'expired']);
    scene.timers.advance(10 * 86_400_000);
    await quiet();
    expect(scene.store.states()).toEqual(['expired', 'expired']);
  });

  it('expires at the start when its time came while the gateway was away', async () => {
    await kept('a');
    await scene.orders.close();
    scene.timers.advance(120_000);
    await scene.restart();
    scene.timers.advance(1_000);
    await quiet();
    expect(scene.store.states()).toEqual(['expired']);
  });

  it('is not sent any more when its device gets another terminal, and this is stored before it does', async () => {
    const { outcome } = await kept('a');
    await scene.orders.dropWaiting('BUS1');
    expect(scene.store.states()).toEqual(['expired']);
    expect(await outcome).toEqual({ state: 'expired' });
    const { heard } = scene.enter();
    await quiet();
    expect(heard).toEqual([]);
  });
});
