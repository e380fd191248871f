// Orders over TCP: what a terminal gets of what is kept for it, and what becomes of its answers.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import { DeviceOrders, type OrderRequest, type OrderRequested } from '../../../server/device/orders/deviceOrders.ts';
import { driverText } from '../../../server/device/orders/driverText.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal } from './rawTerminal.ts';
import { PROFILE, startTestGateway, type TestGateway } from './testGateway.ts';

describe('orders', () => {
  let timers: ManualTimers;
  let test: TestGateway;
  let orders: DeviceOrders;
  let incarnation: number;
  beforeEach(async () => {
    timers = new ManualTimers();
    test = await startTestGateway(timers.runAfter);
    await test.addDevice();
    incarnation = (await test.stores.devices.findByDeviceId(PROFILE.deviceId))?.incarnation ?? 0;
    orders = new DeviceOrders({
      store: test.stores.deviceOrders,
      registry: test.gateway.registry,
      now: Date.now,
      runAfter: timers.runAfter,
      random: Math.random,
      onFault: noFaults,
      onLimit: () => undefined,
    });
    await orders.start();
  });
  afterEach(async () => {
    await orders.close();
    await test.close();
  });

  const signedIn = async (): Promise<RawTerminal> => {
    const terminal = await RawTerminal.dial({ port: test.gateway.jt808Port });
    await terminal.signIn();
    return terminal;
  };
  async function request(text: string, change: Partial<OrderRequest> = {}) {
    const requested: OrderRequested = await orders.request({
      device: { deviceId: PROFILE.deviceId, incarnation },
      body: driverText(text, { speech: true, urgent: false }),
      reason: 'test',
      expiresAtMs: wallMs(Date.now() + 600_000),
      ...change,
    });
    if (!requested.ok) throw new Error(requested.reason);
    return requested;
  }
  /** The next text that the terminal hears; `count` with those before. */
  const heard = async (terminal: RawTerminal, count: number) => {
    const texts = await waitFor(
      'the text',
      () => terminal.texts(),
      (all) => all.length >= count,
    );
    const last = texts[count - 1];
    if (last === undefined) throw new Error('no text');
    return last;
  };

  it('go out in the form of the edition, and end with what the terminal answers', async () => {
    const terminal = await signedIn();
    const first = await request('回站');
    const text = await heard(terminal, 1);
    expect(text.body).toEqual({ kind: 'text', flags: 0b1111, textType: 1, text: '回站' });
    terminal.reply(text);
    expect(await first.outcome).toEqual({ state: 'done' });
    const second = await request('b');
    terminal.reply(await heard(terminal, 2), GeneralResult.NotSupported);
    expect(await second.outcome).toEqual({ state: 'refused', result: GeneralResult.NotSupported });
  });

  it('go out one at a time, beside media commands that are not answered', async () => {
    const terminal = await signedIn();
    const session = test.gateway.registry.session(PROFILE.deviceId);
    const live = session?.startLive({ channel: 1, quality: 'main' }, { host: '192.0.2.1', port: 1 });
    const requests = [await request('a'), await request('b')];
    const first = await heard(terminal, 1);
    expect(terminal.heard.filter(({ kind }) => kind === 'liveRequest')).toHaveLength(1);
    expect(terminal.texts()).toHaveLength(1);
    terminal.reply(first);
    terminal.reply(await heard(terminal, 2));
    expect(await Promise.all(requests.map(({ outcome }) => outcome))).toEqual([{ state: 'done' }, { state: 'done' }]);
    timers.advance(10_000);
    expect(await live).toEqual({ ok: false, reason: 'timeout' });
  });

  it('wait for the terminal, and go out once however often it signs in', async () => {
    const { outcome } = await request('a');
    const terminal = await signedIn();
    terminal.reply(await heard(terminal, 1));
    expect(await outcome).toEqual({ state: 'done' });
    terminal.socket.destroy();
    const again = await signedIn();
    const { outcome: next } = await request('b');
    const text = await heard(again, 1);
    expect(text.body).toMatchObject({ text: 'b' });
    again.reply(text);
    expect(await next).toEqual({ state: 'done' });
  });

  it('end without an answer when the terminal gives none, and the next goes out', async () => {
    const terminal = await signedIn();
    const first = await request('a');
    const second = await request('b');
    await heard(terminal, 1);
    timers.advance(10_000);
    expect(await first.outcome).toEqual({ state: 'no-answer' });
    terminal.reply(await heard(terminal, 2));
    expect(await second.outcome).toEqual({ state: 'done' });
  });

  it('are unknown when the connection ends before the answer, and are not repeated', async () => {
    const terminal = await signedIn();
    const first = await request('a');
    const second = await request('b');
    await heard(terminal, 1);
    terminal.socket.destroy();
    expect(await first.outcome).toEqual({ state: 'unknown' });
    const again = await signedIn();
    const text = await heard(again, 1);
    expect(text.body).toMatchObject({ text: 'b' });
    again.reply(text);
    expect(await second.outcome).toEqual({ state: 'done' });
  });
});
