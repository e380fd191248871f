import type { Socket } from 'node:net';
import type { OnFault } from '../faults/onFault.ts';
import { createTcpServer, listenOn } from '../faults/sockets.ts';
import type { OnLimit } from '../limits/limit.ts';
import { ConnectionCaps, type ConnectionLimits } from './connectionCaps.ts';
import { EndedSockets } from './endedSockets.ts';

export interface TcpListener {
  readonly port: number;
  readonly isListening: boolean;
  /** Stops listening and cuts what is open. */
  close(): Promise<void>;
}

export interface TcpOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly limits: ConnectionLimits;
  readonly onLimit: OnLimit;
  /** Told of a connection that the system couldn't accept, mostly for lack of file descriptors. */
  readonly onFault: OnFault;
}

/**
 * Listens for terminals. `accept` owns each socket; the listener keeps a reference to cut it at shutdown or at a limit.
 * `proved` is called once the connection is known to be a terminal's.
 */
export async function listenTcp(
  { host, port, limits, onLimit, onFault }: TcpOptions,
  accept: (socket: Socket, proved: () => void) => void,
): Promise<TcpListener> {
  const caps = new ConnectionCaps({ limits, onLimit });
  const ended = new EndedSockets(setImmediate);
  const take = (socket: Socket): void => {
    if (!caps.admit(socket)) {
      socket.destroy();
      return;
    }
    ended.watch(socket);
    socket.once('data', () => caps.spoke(socket));
    socket.on('close', () => caps.left(socket));
    accept(socket, () => caps.proved(socket));
  };
  const options = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };
  const server = createTcpServer(options, take, onFault);
  await listenOn(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    get isListening() {
      return server.listening;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of [...caps.sockets]) socket.destroy();
      }),
  };
}

/** Opens all listeners or none: if one fails, those already open are closed. */
export async function allListening(listening: readonly Promise<TcpListener>[]): Promise<TcpListener[]> {
  const settled = await Promise.allSettled(listening);
  const open = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = settled.find((each) => each.status === 'rejected');
  if (refused === undefined) return open;
  await Promise.all(open.map((listener) => listener.close()));
  throw refused.reason;
}

/** One spelling for an address, whether the socket listens on IPv4 or on both: `::ffff:10.0.0.7` is 10.0.0.7. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
