import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { EndedSockets } from '../../../../server/device/endedSockets.ts';

/** `count` sockets that are watched; `turn` runs what was put off to the next turn of the event loop. */
function scene(count: number) {
  const later: (() => void)[] = [];
  const ended: number[] = [];
  const sockets = new EndedSockets((run) => later.push(run));
  const watched = Array.from({ length: count }, (_, at) => {
    const socket = Object.assign(new EventEmitter(), { end: () => ended.push(at) });
    sockets.watch(socket as unknown as Socket);
    return socket;
  });
  const turn = (): void => {
    for (const run of later.splice(0)) run();
  };
  return { watched, ended, later, turn };
}

it('ends sockets whose other end has ended, a hundred in a turn of the event loop, in their order', () => {
  const { watched, ended, later, turn } = scene(250);
  for (const socket of watched) socket.emit('end');
  const counts = [ended.length];
  while (later.length > 0) {
    turn();
    counts.push(ended.length);
  }
  expect(counts).toEqual([0, 100, 200, 250]);
  expect(ended).toEqual(watched.map((_, at) => at));
});

it('ends sockets that come while others wait, and leaves open those whose other end is', () => {
  const { watched, ended, later, turn } = scene(3);
  watched[0]?.emit('end');
  watched[2]?.emit('end');
  turn();
  expect([ended, later]).toEqual([[0, 2], []]);
});
