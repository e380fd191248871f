import { Duplex } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HubPacket } from '../../../../server/media/hubPacket.ts';
import { FlushTimer } from '../../../../server/stream/flushTimer.ts';
import { QUEUED_BYTES_LIMIT } from '../../../../server/stream/viewerQueue.ts';
import { BEHIND_BYTES, MAX_MESSAGE_BYTES, messagesOf, ViewerSender } from '../../../../server/stream/viewerSender.ts';
import { readMessage, type StreamPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { packetOf } from '../media/packets.ts';

/** The far end of a connection: takes a write when it is told to. */
class Connection extends Duplex {
  readonly taken: Uint8Array[] = [];
  #pending: (() => void) | undefined;
  isStuck = false;

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#take([chunk], done);
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: () => void): void {
    this.#take(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _read(): void {
    // Nothing comes from a viewer here.
  }

  async drain(): Promise<void> {
    this.isStuck = false;
    this.#pending?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  #take(chunks: readonly Uint8Array[], done: () => void): void {
    this.taken.push(...chunks);
    if (this.isStuck) this.#pending = done;
    else done();
  }

  /** The frames that came, each as its packets. */
  messages(): (readonly StreamPacket[])[] {
    const bytes = Uint8Array.from(Buffer.concat(this.taken));
    const view = new DataView(bytes.buffer);
    const messages: (readonly StreamPacket[])[] = [];
    for (let at = 0; at < bytes.length; ) {
      expect(bytes[at]).toBe(0x82);
      const short = view.getUint8(at + 1);
      const header = short < 126 ? 2 : short === 126 ? 4 : 10;
      const length = short < 126 ? short : short === 126 ? view.getUint16(at + 2) : view.getUint32(at + 6);
      const read = readMessage(bytes.slice(at + header, at + header + length));
      expect(read.fault).toBeUndefined();
      messages.push(read.packets);
      at += header + length;
    }
    return messages;
  }
}

describe('ViewerSender', () => {
  let connection: Connection;
  let timers: ManualTimers;
  let isBusy: boolean;
  let outlet: ViewerSender;

  beforeEach(() => {
    connection = new Connection();
    timers = new ManualTimers();
    isBusy = false;
    outlet = new ViewerSender({ connection, timer: new FlushTimer(timers.runAfter, 5), isBusy: () => isBusy });
  });

  const deliver = (...packets: HubPacket[]): void => {
    for (const packet of packets) outlet.deliver(packet);
  };
  const sizes = (): number[][] =>
    connection.messages().map((packets) => packets.map(({ payload }) => payload.byteLength));

  it('writes each packet at once, in the frame that all viewers share', () => {
    const [key, delta] = [packetOf('key'), packetOf('delta')];
    deliver(key, delta);
    expect(connection.taken[0]?.buffer).toBe(key.frame.buffer);
    expect(connection.taken[1]?.buffer).toBe(delta.frame.buffer);
    expect(timers.pending).toBe(0);
  });

  it('puts what came meanwhile into one message when a viewer who is behind has caught up', async () => {
    connection.isStuck = true;
    deliver(
      packetOf('key', BEHIND_BYTES + 1),
      packetOf('delta', 100),
      packetOf('audio', 200),
      packetOf('delta', 70_000),
    );
    timers.advance(1_000);
    expect(connection.taken).toHaveLength(1);
    await connection.drain();
    expect(sizes()).toEqual([[BEHIND_BYTES + 1], [100, 200, 70_000]]);
  });

  it('lets packets of a busy gateway wait a few milliseconds for one another, in order', () => {
    deliver(packetOf('key', 1));
    isBusy = true;
    deliver(packetOf('delta', 2), packetOf('delta', 3));
    isBusy = false;
    deliver(packetOf('delta', 4));
    expect(sizes()).toEqual([[1]]);
    timers.advance(5);
    deliver(packetOf('delta', 5));
    expect(sizes()).toEqual([[1], [2, 3, 4], [5]]);
    expect(timers.pending).toBe(0);
  });

  it('has one timer for all viewers that wait', () => {
    const timer = new FlushTimer(timers.runAfter, 5);
    const outlets = Array.from({ length: 100 }, () => {
      const own = new Connection();
      return { own, outlet: new ViewerSender({ connection: own, timer, isBusy: () => true }) };
    });
    for (const each of outlets) each.outlet.deliver(packetOf('key'));
    expect(timers.pending).toBe(1);
    outlets[0]?.outlet.close();
    timers.advance(5);
    expect(outlets.map(({ own }) => own.messages().length)).toEqual([0, ...Array.from({ length: 99 }, () => 1)]);
  });

  it('counts what waits in what a viewer may hold back, and goes on with a flagged key frame', async () => {
    connection.isStuck = true;
    deliver(packetOf('key', BEHIND_BYTES + 1));
    for (let count = 0; count < 200; count++) deliver(packetOf('delta', 10_000));
    expect(connection.writableLength).toBeLessThan(2 * BEHIND_BYTES);
    await connection.drain();
    deliver(packetOf('delta', 7), packetOf('key', 8), packetOf('delta', 9));
    const all = connection.messages().flat();
    const held = all.filter(({ payload }) => payload.byteLength === 10_000);
    expect(held.length * 10_000).toBeLessThan(QUEUED_BYTES_LIMIT.max);
    expect(held.length).toBeGreaterThan(90);
    expect(all.slice(-2).map(({ payload, discontinuity }) => [payload.byteLength, discontinuity])).toEqual([
      [8, true],
      [9, false],
    ]);
  });

  it('writes nothing once it is closed', async () => {
    connection.isStuck = true;
    deliver(packetOf('key', BEHIND_BYTES + 1), packetOf('delta', 100));
    outlet.close();
    deliver(packetOf('delta', 100));
    await connection.drain();
    timers.advance(5);
    expect(sizes()).toEqual([[BEHIND_BYTES + 1]]);
    expect(connection.listenerCount('drain')).toBe(0);
  });
});

describe('messagesOf', () => {
  it('keeps the order and makes no message longer than one packet must', () => {
    const packets = [1, 100_000, 200_000, 2, MAX_MESSAGE_BYTES, 3, 4].map((bytes) => packetOf('delta', bytes));
    const messages = messagesOf(packets);
    expect(messages.flat()).toEqual(packets);
    expect(messages.map((message) => message.length)).toEqual([2, 2, 1, 2]);
    expect(messagesOf([])).toEqual([]);
  });
});
