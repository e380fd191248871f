import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { SocketUses } from '../../../../../server/device/usage/socketUse.ts';
import type { Traffic } from '../../../../../server/device/usage/trafficMeter.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

class CountedSocket extends EventEmitter {
  bytesRead = 0;
  bytesWritten = 0;
}

function open() {
  const timers = new ManualTimers();
  const noted: [number, string, number, number][] = [];
  const note = (incarnation: number, kind: string, { receivedBytes, sentBytes }: Traffic): void =>
    void noted.push([incarnation, kind, receivedBytes, sentBytes]);
  const uses = new SocketUses({ meter: { note }, runAfter: timers.runAfter });
  const socket = new CountedSocket();
  return { timers, noted, uses, socket, use: uses.add(socket) };
}

it('counts what came before it was known whose it is, and nothing of strangers', () => {
  const { timers, noted, socket, use } = open();
  socket.bytesRead = 30;
  timers.advance(1_000);
  expect(noted).toEqual([]);
  use.belongsTo({ incarnation: 7, kind: () => 'signalling' });
  socket.bytesWritten = 5;
  timers.advance(1_000);
  expect(noted).toEqual([[7, 'signalling', 30, 5]]);
});

it('attributes no more than has passed, and the rest with what passes next', () => {
  const { timers, noted, socket, use } = open();
  use.belongsTo({ incarnation: 7, kind: () => 'signalling' });
  socket.bytesRead = 10;
  use.attribute('position', { receivedBytes: 15, sentBytes: 0 });
  timers.advance(1_000);
  socket.bytesRead = 30;
  timers.advance(1_000);
  expect(noted).toEqual([
    [7, 'position', 10, 0],
    [7, 'position', 5, 0],
    [7, 'signalling', 15, 0],
  ]);
});

it('counts the end of a connection, once, and each part as what it was used for then', () => {
  const { timers, noted, uses, socket, use } = open();
  let kind: 'live' | 'recording' = 'live';
  use.belongsTo({ incarnation: 7, kind: () => kind });
  socket.bytesRead = 10;
  timers.advance(1_000);
  kind = 'recording';
  socket.bytesRead = 25;
  socket.emit('close');
  uses.close();
  timers.advance(5_000);
  expect(noted).toEqual([
    [7, 'live', 10, 0],
    [7, 'recording', 15, 0],
  ]);
});
