import { beforeEach, describe, expect, it } from 'vitest';
import { InputQueue } from '../../../../../server/device/jt808/inputQueue.ts';
import { WaitingBytes } from '../../../../../server/device/jt808/waitingBytes.ts';
import { FakeSocket, settled } from './fakeTerminal.ts';

describe('InputQueue', () => {
  let socket: FakeSocket;
  let waiting: WaitingBytes;
  let taken: number[];
  let release: (() => void) | undefined;
  let reached: string[];
  let queue: InputQueue<number[]>;

  beforeEach(() => {
    socket = new FakeSocket();
    taken = [];
    reached = [];
    waiting = new WaitingBytes(({ name }) => reached.push(name));
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    queue = new InputQueue(socket.asSocket(), {
      waiting,
      address: '10.0.0.7',
      decode: (bytes) => [[...bytes]],
      handle: async (bytes) => {
        await held;
        taken.push(...bytes);
      },
      onLimit: ({ name }) => reached.push(name),
      onFault: (error) => {
        throw error;
      },
    });
    queue.trust();
  });

  const send = (first: number, length: number) =>
    socket.emit(
      'data',
      Uint8Array.from({ length }, (_, index) => (first + index) & 0xff),
    );

  it('stops reading at its bound, and goes on once all is handled; nothing is lost or out of order', async () => {
    for (let at = 0; !socket.isPaused; at += 1_000) send(at, 1_000);
    expect(waiting.held).toBeLessThan(20_000);
    expect(reached).toEqual(['terminals.waiting-bytes.connection']);
    expect(queue.isBusy).toBe(true);
    release?.();
    await settled();
    expect(socket.isPaused).toBe(false);
    expect(queue.isBusy).toBe(false);
    expect(waiting.held).toBe(0);
    expect(taken.length).toBeGreaterThan(14_000);
    expect(taken.every((byte, at) => byte === (at & 0xff))).toBe(true);
  });

  it('counts what single bytes cost', () => {
    let bytes = 0;
    for (; !socket.isPaused; bytes++) send(bytes, 1);
    expect(bytes).toBeLessThan(200);
  });

  it('reads on while there is room', () => {
    send(0, 60_000);
    send(0, 10_000);
    expect(socket.isPaused).toBe(false);
  });

  it('gives its room back when the connection ends', () => {
    for (let at = 0; at < 10; at++) send(at, 1_000);
    socket.destroy();
    expect(waiting.held).toBe(0);
  });

  it('counts the chunk in hand until its last byte is handled', async () => {
    send(0, 60_000);
    expect(waiting.held).toBeGreaterThan(60_000);
    release?.();
    await settled();
    expect(waiting.held).toBe(0);
  });

  it('reads less of a connection that has not signed in, and moves what waits to the terminals when it does', () => {
    const stranger = new FakeSocket();
    const unsigned = new InputQueue(stranger.asSocket(), {
      waiting,
      address: '10.0.0.8',
      decode: (bytes: Uint8Array) => [[...bytes]],
      handle: () => new Promise<void>(() => undefined),
      onLimit: ({ name }) => reached.push(name),
      onFault: (error) => {
        throw error;
      },
    });
    while (!stranger.isPaused) stranger.emit('data', new Uint8Array(500));
    expect(waiting.held).toBeLessThan(4_000);
    expect(reached).toEqual(['terminals.waiting-bytes.unauthenticated']);
    const held = waiting.held;
    unsigned.trust();
    expect(waiting.held).toBe(held);
    stranger.destroy();
    expect(waiting.held).toBe(0);
  });
});
