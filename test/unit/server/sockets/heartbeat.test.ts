import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { CONTROL_PING_LIMIT, Heartbeat } from '../../../../server/sockets/heartbeat.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';

const INTERVAL_MS = 5_000;

class FakeSocket extends EventEmitter {
  readonly pings: string[] = [];
  isCut = false;
  ping(data: string): void {
    this.pings.push(data);
  }
  terminate(): void {
    this.isCut = true;
    this.emit('close');
  }
}

describe('a heartbeat', () => {
  let heartbeat: Heartbeat;
  let socket: FakeSocket;
  beforeEach(() => {
    vi.useFakeTimers();
    heartbeat = new Heartbeat(CONTROL_PING_LIMIT, { onFault: noFaults });
    socket = new FakeSocket();
    heartbeat.add(socket as unknown as WebSocket);
  });
  afterEach(() => {
    heartbeat.close();
    vi.useRealTimers();
  });

  it('keeps a client that answers each ping', () => {
    for (let beat = 0; beat < 10; beat++) {
      vi.advanceTimersByTime(INTERVAL_MS);
      socket.emit('pong', Buffer.from(socket.pings.at(-1) ?? ''));
    }
    expect([socket.pings.length, socket.isCut]).toEqual([10, false]);
  });

  it('cuts a client that leaves one unanswered', () => {
    vi.advanceTimersByTime(2 * INTERVAL_MS);
    expect(socket.isCut).toBe(true);
  });

  it('cuts a client that reads nothing, although it sends pongs of its own accord', () => {
    for (let beat = 0; beat < 2; beat++) {
      vi.advanceTimersByTime(INTERVAL_MS);
      socket.emit('pong', Buffer.alloc(0));
      socket.emit('pong', Buffer.from('0'));
    }
    expect(socket.isCut).toBe(true);
  });
});
