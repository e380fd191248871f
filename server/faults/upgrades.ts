import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { faultOf, type OnFault } from './onFault.ts';
import { guardSocket } from './sockets.ts';

export type HandleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Node removes its own listeners from the socket before an upgrade. From then on errors are handled by the guard, and
 * `handle` owns the socket.
 */
export function onUpgrade(server: Server, handle: HandleUpgrade, onFault: OnFault): void {
  server.on('upgrade', (request, socket, head) => {
    guardSocket(socket, onFault);
    try {
      handle(request, socket, head);
    } catch (cause) {
      onFault(faultOf('an upgrade could not be handled', cause));
      socket.destroy();
    }
  });
}
