// What the connection test says of a simulated terminal, and that a terminal that is cut signs in again by itself.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testConnection } from '../../../server/device/connectionTest.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { newDeviceRecord } from '../../support/newDeviceRecord.ts';
import { waitFor } from '../../support/waitFor.ts';
import { KEY, PROFILE, Recorder, startTestGateway, type TestGateway } from './testGateway.ts';

let test: TestGateway;
beforeEach(async () => {
  test = await startTestGateway();
  await test.addDevice();
});
afterEach(() => test.close());

const ask = () =>
  testConnection(PROFILE.deviceId, {
    registry: test.gateway.registry,
    mediaLoss: test.mediaLoss,
    steadyNow: () => performance.now(),
  });

describe('the connection test', () => {
  it('times the answer and gives what the terminal says of itself', async () => {
    const startedMs = Date.now();
    test.start();
    await test.online();
    const { answer, ...standing } = await ask();
    expect(standing).toMatchObject({ connected: true, address: '127.0.0.1', edition: '2019' });
    expect(standing.sinceMs).toBeGreaterThanOrEqual(startedMs);
    expect(standing.lastMessageAtMs).toBeGreaterThanOrEqual(standing.sinceMs);
    expect(answer).toMatchObject({ result: 'attributes', manufacturer: 'FLGLS', afterMs: expect.any(Number) });
    expect(answer?.afterMs).toBeGreaterThan(0);
  });

  it('says so where none is connected, and still when it was last heard', async () => {
    expect(await ask()).toMatchObject({ connected: false, lastMessageAtMs: 0, answer: null });
    const terminal = test.start();
    await test.online();
    terminal.stop();
    await waitFor(
      'the terminal is gone',
      () => test.gateway.registry.session(PROFILE.deviceId) === undefined,
      (is) => is,
    );
    const { connected, lastMessageAtMs } = await ask();
    expect([connected, lastMessageAtMs > 0]).toEqual([false, true]);
  });

  it('counts by channel what was lost of its media', async () => {
    test.start({
      quirks: { damage: { 1: { kind: 'doubled', everyPacket: 5 }, 2: { kind: 'lost', everyPacket: 40 } } },
    });
    await test.online();
    for (const channel of [1, 2]) test.hub.watch({ ...KEY, channel }, new Recorder());
    const { totals } = test.mediaLoss;
    await waitFor('losses', () => totals['missing-packet'] > 2 && totals.group > 0 && totals['repeated-packet'] > 10);
    const [doubled, lossy] = (await ask()).mediaLoss;
    expect([doubled?.channel, lossy?.channel]).toEqual([1, 2]);
    expect(doubled?.counts['repeated-packet']).toBeGreaterThan(10);
    expect(doubled?.counts).toMatchObject({ 'missing-packet': 0, group: 0, 'frame-gap': 0 });
    expect(lossy?.counts['missing-packet']).toBeGreaterThan(2);
    expect(lossy?.counts.group).toBeGreaterThan(0);
    expect(test.mediaLoss.totals['missing-packet']).toBe(lossy?.counts['missing-packet']);
  });

  it('ends with the connection', async () => {
    test.start();
    await test.online();
    const session = test.gateway.registry.session(PROFILE.deviceId);
    const requests = ask();
    session?.close();
    expect((await requests).answer).toMatchObject({ result: 'lost' });
  });
});

describe('a device that is changed', () => {
  it('keeps out the terminal whose number it no longer has', async () => {
    test.start();
    await test.online();
    const fields = newDeviceRecord(PROFILE.deviceId, { name: 'Bus 1', terminal: '13800000099', chn: 2 });
    const change = { deviceId: PROFILE.deviceId, version: 1, fields };
    expect(await test.stores.deviceRecords.change(change, undefined, wallMs(Date.now()))).toMatchObject({ ok: true });
    test.gateway.registry.forget(PROFILE.deviceId);
    const waiting = await waitFor(
      'it is listed as unknown',
      () => test.stores.unknownTerminals.find(PROFILE.number),
      (found) => found !== undefined,
      10_000,
    );
    expect(waiting).toMatchObject({ manufacturer: 'FLGLS', refusedAtMs: 0 });
    expect(test.gateway.registry.session(PROFILE.deviceId)).toBeUndefined();
  });
});
