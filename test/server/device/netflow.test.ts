// What simulated terminals send and are sent over real sockets, against the sockets' own counts.
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AttachmentSink } from '../../../server/device/attachments/attachmentSink.ts';
import { ReceivedRanges } from '../../../server/device/attachments/receivedRanges.ts';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import type { MediaPacket } from '../../../server/device/jt1078/codec/packet.ts';
import type { PlanAnswer, PlanGate } from '../../../server/device/usage/planGate.ts';
import { type CountedSocket, SocketUses } from '../../../server/device/usage/socketUse.ts';
import type { TrafficMeter } from '../../../server/device/usage/trafficMeter.ts';
import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import { waitFor } from '../../support/waitFor.ts';
import { bytesOf, sourceOf } from '../../unit/server/device/jt808/packages/packageScene.ts';
import { AttachmentTerminal } from '../events/evidence/attachmentTerminal.ts';
import { KEY, Recorder, startTestGateway, type TestGateway } from './testGateway.ts';

class Meter implements TrafficMeter {
  readonly received = new Map<NetflowKind, number>();
  readonly sent = new Map<NetflowKind, number>();
  receivedBytes = 0;
  sentBytes = 0;

  note: TrafficMeter['note'] = (_incarnation, kind, { receivedBytes, sentBytes }) => {
    this.received.set(kind, (this.received.get(kind) ?? 0) + receivedBytes);
    this.sent.set(kind, (this.sent.get(kind) ?? 0) + sentBytes);
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

/** All that the gateway counts from now on. */
function keepSockets(): CountedSocket[] {
  const sockets: CountedSocket[] = [];
  const add = SocketUses.prototype.add;
  vi.spyOn(SocketUses.prototype, 'add').mockImplementation(function (this: SocketUses, socket) {
    sockets.push(socket);
    return add.call(this, socket);
  });
  return sockets;
}

/** Received, sent. */
function countsOf(sockets: readonly CountedSocket[]): [number, number] {
  const sum = (of: (socket: CountedSocket) => number) => sockets.reduce((all, socket) => all + of(socket), 0);
  return [sum(({ bytesRead }) => bytesRead), sum(({ bytesWritten }) => bytesWritten)];
}

async function expectAll(meter: Meter, sockets: readonly CountedSocket[]): Promise<void> {
  await waitFor('all sockets are closed', () => sockets.every((each) => (each as Socket).destroyed));
  expect([meter.receivedBytes, meter.sentBytes]).toEqual(countsOf(sockets));
}

/** Takes all files of BUS1; `taken`: the lengths of their pieces. */
function sinkFor(archiveNumber: () => number, taken: number[]): AttachmentSink {
  const file = {
    write: async (_offset: number, data: Uint8Array) => taken.push(data.byteLength) > 0,
    finish: async () => true,
    setAside: async () => undefined,
  };
  return {
    busy: () => undefined,
    find: (alarmNumber) => ({ alarmNumber, deviceId: 'BUS1', archiveNumber: archiveNumber() }),
    begin: async () => ({
      open: async ({ sizeBytes }) => ({ ...file, received: new ReceivedRanges(sizeBytes, 10) }),
      end: async () => undefined,
    }),
  };
}

let test: TestGateway | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await test?.close();
  test = undefined;
});

describe('data usage at the sockets of terminals (S-2.4.9)', () => {
  it('is what the sockets count, to the byte, and divided by what it is for', async () => {
    const sockets = keepSockets();
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
    await test.gateway.close();
    await expectAll(meter, sockets);
    expect(meter.received.get('signalling') ?? 0).toBeGreaterThan(0);
  });

  it('has talk both ways, to the byte', async () => {
    const sockets = keepSockets();
    const meter = new Meter();
    test = await startTestGateway(undefined, { meter });
    await test.addDevice();
    const speech: MediaPacket[] = [];
    test.start({}, { onSpeech: (packet) => speech.push(packet) });
    await test.online();
    const signalling = [...sockets];
    const log: string[] = [];
    const opening = test.gateway.talk.open('BUS1', 1, {
      opened: () => log.push('opened'),
      packet: () => undefined,
      ended: (reason) => log.push(reason),
    });
    if (!opening.ok) throw new Error(opening.reason);
    await waitFor('the line', () => log.includes('opened'));
    opening.line.speak(new Int16Array(1_600).fill(1_000));
    await waitFor('the vehicle hears', () => speech.length > 0);
    await waitFor('the vehicle is heard', () => (meter.received.get('talk') ?? 0) > 0);
    opening.line.close();
    await test.gateway.close();
    await expectAll(meter, sockets);
    const line = sockets.filter((each) => !signalling.includes(each));
    expect([meter.received.get('talk'), meter.sent.get('talk')]).toEqual(countsOf(line));
    expect(meter.sent.get('talk')).toBeGreaterThan(0);
  });

  it('has files of events, and what was said about them, to the byte', async () => {
    const sockets = keepSockets();
    const meter = new Meter();
    const taken: number[] = [];
    test = await startTestGateway(undefined, { meter, attachments: sinkFor(() => archiveNumber, taken) });
    await test.addDevice();
    test.start();
    await test.online();
    const session = test.gateway.registry.session('BUS1');
    const archiveNumber = session?.archiveNumber ?? 0;
    const address = session && test.gateway.attachmentAddress?.(session);
    const signalling = [...sockets];
    const terminal = await AttachmentTerminal.dial({ tcpPort: address?.port ?? 0 });
    const file = { name: 'a.bin', sizeBytes: 100_000 };
    expect(await terminal.list('1', [file])).toBe(GeneralResult.Ok);
    expect(await terminal.file(file.name, file.sizeBytes)).toBe(GeneralResult.Ok);
    for (const offset of [0, 50_000]) terminal.send({ name: file.name, offset, data: new Uint8Array(50_000) });
    expect(await terminal.done(file.name, file.sizeBytes)).toMatchObject({ result: 0 });
    terminal.destroy();
    await test.gateway.close();
    await expectAll(meter, sockets);
    expect(taken).toEqual([50_000, 50_000]);
    const uploads = sockets.filter((each) => !signalling.includes(each));
    expect([meter.received.get('attachments'), meter.sent.get('attachments')]).toEqual(countsOf(uploads));
    expect(meter.received.get('attachments')).toBeGreaterThan(100_000);
  });

  it('has firmware that is sent package by package, to the byte of each package', async () => {
    const sockets = keepSockets();
    const meter = new Meter();
    test = await startTestGateway(undefined, { meter });
    await test.addDevice();
    test.start();
    await test.online();
    const session = test.gateway.registry.session('BUS1');
    const stop = new AbortController();
    const bytes = 4 * 1_023;
    const sending = session?.sendPackages({
      messageId: MessageId.upgradePackage,
      source: sourceOf(bytesOf(bytes)),
      window: 4,
      signal: stop.signal,
    });
    await waitFor('packages are counted', () => (meter.sent.get('firmware') ?? 0) > bytes);
    stop.abort();
    await sending;
    await test.gateway.close();
    await expectAll(meter, sockets);
    expect(meter.received.get('firmware') ?? 0).toBe(0);
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
