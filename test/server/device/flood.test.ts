// What strangers send faster than it can be handled, and terminals that come meanwhile.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UNKNOWN_TERMINALS_SHARE } from '../../../server/store/devices/unknownTerminals.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { collectGarbage } from '../../support/runner/collectGarbage.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal, REGISTRATION } from './rawTerminal.ts';
import { PROFILE, startTestGateway, type TestGateway } from './testGateway.ts';

const MEGABYTE = 1024 * 1024;
const IDENTITY = { manufacturer: REGISTRATION.manufacturer, terminalId: REGISTRATION.terminalId };

/** What is to wait a second or longer waits for good. */
function withheld(delayMs: number, run: () => void): () => void {
  const timer = delayMs < 1_000 ? setTimeout(run, delayMs) : undefined;
  return () => clearTimeout(timer);
}

async function start(slowed: (stores: Stores) => Stores = (stores) => stores): Promise<TestGateway> {
  const nowMs = Date.now();
  const test = await startTestGateway(withheld, { slowed, now: () => nowMs });
  onTestFinished(() => test.close());
  await test.addDevice();
  await test.stores.devices.update(PROFILE.deviceId, { identity: IDENTITY });
  return test;
}

/** The terminal has signed in from there before, and is away. */
async function atHome(test: TestGateway, from = '127.0.0.2'): Promise<void> {
  const terminal = await RawTerminal.dial({ port: test.gateway.jt808Port, from });
  await terminal.signIn();
  terminal.socket.destroy();
  await waitFor('it is away', () => test.gateway.registry.session(PROFILE.deviceId) === undefined);
}

/** Writes until all is handed over, or nothing more is taken for a second. Gives the bytes that left this end. */
async function press(socket: Socket, block: Uint8Array, times: number): Promise<number> {
  const before = socket.bytesWritten - socket.writableLength;
  for (let turn = 0; turn < times; turn++) {
    if (socket.write(block)) continue;
    const isTaken = await Promise.race([once(socket, 'drain').then(() => true), delay(1_000, false)]);
    if (!isTaken) break;
  }
  return socket.bytesWritten - socket.writableLength - before;
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('a flood', { timeout: 60_000 }, () => {
  it('is read no faster than the database answers, and the connection goes on afterwards', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const test = await start((stores) => {
      const findByTerminal = async (number: string) => {
        await answered;
        return stores.devices.findByTerminal(number);
      };
      return { ...stores, devices: { ...stores.devices, findByTerminal } };
    });
    const stranger = await RawTerminal.dial({ port: test.gateway.jt808Port });
    stranger.say(REGISTRATION);
    const frames = Array.from({ length: 8_000 }, () => stranger.frame({ kind: 'heartbeat' }));
    const block = Buffer.concat(Array.from({ length: 8 }, () => frames).flat()).subarray(0, MEGABYTE);
    const before = heldBytes();
    const taken = await press(stranger.socket, block, 60);
    // The rest is in the buffers of the two kernels, which take some megabytes.
    expect(taken).toBeLessThan(30 * MEGABYTE);
    expect(heldBytes() - before).toBeLessThan(24 * MEGABYTE);
    answer();
    await waitFor('the registration is answered', () => stranger.answers()[0]);
    expect(stranger.socket.destroyed).toBe(false);
    expect(test.faults).toEqual([]);
  });

  it('of registrations on one connection is slowed, while the right terminal gets in at its own address', async () => {
    const test = await start();
    await atHome(test);
    const stranger = await RawTerminal.dial({ port: test.gateway.jt808Port });
    const guesses = Array.from({ length: 4_000 }, (_, guess) =>
      stranger.frame({ ...REGISTRATION, terminalId: `G${guess}` }),
    );
    stranger.socket.write(Buffer.concat(guesses));
    await waitFor('the first guesses are answered', () => stranger.answers().length >= 5);
    const terminal = await RawTerminal.dial({ port: test.gateway.jt808Port, from: '127.0.0.2' });
    await terminal.signIn();
    expect(test.gateway.registry.session(PROFILE.deviceId)?.remoteAddress).toBe('127.0.0.2');
    expect(stranger.answers()).toHaveLength(5);
    expect(test.faults).toEqual([]);
  });

  it('of guesses over many connections is slowed, while the right terminal gets in at its own address', async () => {
    const test = await start();
    await atHome(test);
    const strangers: RawTerminal[] = [];
    for (let guess = 0; guess < 200; guess++) {
      const stranger = await RawTerminal.dial({ port: test.gateway.jt808Port });
      stranger.say({ ...REGISTRATION, terminalId: `G${guess}` });
      strangers.push(stranger);
    }
    const answered = () => strangers.filter((each) => each.answers().length > 0).length;
    await waitFor('the first guesses are answered', () => answered() >= 5);
    const terminal = await RawTerminal.dial({ port: test.gateway.jt808Port, from: '127.0.0.2' });
    await terminal.signIn();
    expect(answered()).toBe(5);
    expect(test.faults).toEqual([]);
  });

  it('of refused registrations is answered more slowly, while a terminal of the same address comes back', async () => {
    const test = await start();
    const { jt808Port: port } = test.gateway;
    await atHome(test, '127.0.0.1');
    const strangers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => RawTerminal.dial({ port, number: `1570000${1_000 + index}` })),
    );
    for (const stranger of strangers) {
      for (let turn = 0; turn < 5; turn++) stranger.say({ ...REGISTRATION, plate: `${turn}` });
    }
    const answered = () => strangers.reduce((sum, stranger) => sum + stranger.answers().length, 0);
    await waitFor('two hundred are answered', () => answered() >= 200);
    const terminal = await RawTerminal.dial({ port });
    await terminal.signIn();
    expect(answered()).toBe(200);
    expect(test.faults).toEqual([]);
  });

  it('of unknown numbers fills the share of its own address in the list and nothing else', async () => {
    const test = await start();
    const { jt808Port: port } = test.gateway;
    const other = await RawTerminal.dial({ port, from: '127.0.0.3', number: '15500000001' });
    await other.register();
    for (let number = 100; number < 220; number++) {
      const stranger = await RawTerminal.dial({ port, number: `15600000${number}` });
      await stranger.register();
      stranger.socket.destroy();
    }
    const numbers = (await test.stores.unknownTerminals.list()).map(({ terminal }) => terminal.canonical);
    expect(numbers).toContain('15500000001');
    expect(numbers).toHaveLength(1 + UNKNOWN_TERMINALS_SHARE.max);
    expect(numbers[0]).toBe('15600000219');
  });
});
