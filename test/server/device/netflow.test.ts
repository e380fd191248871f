// What simulated terminals send and are sent over real sockets, against the sockets' own counts.
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlanAnswer, PlanGate } from '../../../server/device/usage/planGate.ts';
import { type CountedSocket, SocketUses } from '../../../server/device/usage/socketUse.ts';
import type { TrafficMeter } from '../../../server/device/usage/trafficMeter.ts';
import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import { waitFor } from '../../support/waitFor.ts';
import { KEY, Recorder, startTestGateway, type TestGateway } from './testGateway.ts';

class Meter implements TrafficMeter {
  readonly received = new Map<NetflowKind, number>();
  receivedBytes = 0;
  sentBytes = 0;

  note: TrafficMeter['note'] = (_incarnation, kind, { receivedBytes, sentBytes }) => {
    this.received.set(kind, (this.received.get(kind) ?? 0) + receivedBytes);
    this.receivedBytes += receivedBytes;
    this.sentBytes += sentBytes;
  };
}

class Gate implements PlanGate {
  #answer: PlanAnswer = { ok: true };
  readonly #listeners = new Set<(deviceId: string) => void>();

  mayStream = (): PlanAnswer => this.#answer;
  mayTransfer = (): PlanAnswer => this.#answer;
  subscribe = (listener: (deviceId: string) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(answer: PlanAnswer): void {
    this.#answer = answer;
    for (const listener of this.#listeners) listener('BUS1');
  }
}

let test: TestGateway | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await test?.close();
  test = undefined;
});

describe('data usage at the sockets of terminals (S-2.4.9)', () => {
  it('is what the sockets count, to the byte, and divided by what it is for', async () => {
    const sockets: CountedSocket[] = [];
    const add = SocketUses.prototype.add;
    vi.spyOn(SocketUses.prototype, 'add').mockImplementation(function (this: SocketUses, socket) {
      sockets.push(socket);
      return add.call(this, socket);
    });
    const meter = new Meter();
    test = await startTestGateway(undefined, { meter });
    await test.addDevice();
    test.start();
    await test.online();
    const recorder = Object.assign(new Recorder(), { purpose: 'recorder' as const });
    const recording = test.hub.watch(KEY, recorder);
    await waitFor('it is recorded', () => (meter.received.get('recording') ?? 0) > 0);
    const viewer = new Recorder();
    const watching = test.hub.watch(KEY, viewer);
    await waitFor('it is watched', () => (meter.received.get('live') ?? 0) > 0);
    await waitFor('a position has come', () => (meter.received.get('position') ?? 0) > 0);
    watching.close();
    recording.close();
    const { gateway } = test;
    await gateway.close();
    await waitFor('all sockets are closed', () => sockets.every((each) => (each as Socket).destroyed));
    const sum = (of: (socket: CountedSocket) => number) => sockets.reduce((all, socket) => all + of(socket), 0);
    expect(meter.receivedBytes).toBe(sum(({ bytesRead }) => bytesRead));
    expect(meter.sentBytes).toBe(sum(({ bytesWritten }) => bytesWritten));
    expect(meter.received.get('signalling') ?? 0).toBeGreaterThan(0);
  });

  it('ends a stream when the plan is used up, and goes on when it is lifted', async () => {
    const plans = new Gate();
    test = await startTestGateway(undefined, { plans });
    await test.addDevice();
    test.start();
    await test.online();
    const viewer = new Recorder();
    const watching = test.hub.watch(KEY, viewer);
    await waitFor('pictures come', () => viewer.packets.length > 0);
    plans.set({ ok: false, reason: 'plan-no-video' });
    expect(test.gateway.source.status(KEY)).toEqual({ state: 'withheld', failure: 'plan' });
    const before = viewer.packets.length;
    plans.set({ ok: true });
    await waitFor('pictures come again', () => viewer.packets.length > before);
    watching.close();
  });
});
