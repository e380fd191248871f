import type { Socket } from 'node:net';
import type { OnFault } from '../faults/onFault.ts';
import { createTcpServer, listenOn } from '../faults/sockets.ts';

export interface TcpListener {
  readonly port: number;
  /** Stops listening and cuts what is open. */
  close(): Promise<void>;
}

/**
 * Connections on one port that have said nothing yet. A terminal speaks as soon as it has dialled, so even a fleet that
 * comes back at once leaves few of them; thousands are half-open, and the oldest of those is missed by nobody.
 */
const MAX_SILENT_CONNECTIONS = 4_096;

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  readonly onFault: OnFault;
}

/** Listens for terminals. `accept` owns each socket; the listener only remembers it, to cut it at the end. */
export async function listenTcp(
  { host, port, onFault }: TcpAddress,
  accept: (socket: Socket) => void,
  maxSilent = MAX_SILENT_CONNECTIONS,
): Promise<TcpListener> {
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };
  const take = (socket: Socket): void => {
    sockets.add(socket);
    silent.add(socket);
    socket.once('data', () => silent.delete(socket));
    socket.on('close', () => {
      sockets.delete(socket);
      silent.delete(socket);
    });
    accept(socket);
    if (silent.size > maxSilent) cutOldest(silent);
  };
  const server = createTcpServer(options, take, onFault);
  await listenOn(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** All of them, or none: what is open is closed again when another port cannot be had. */
export async function allListening(listening: readonly Promise<TcpListener>[]): Promise<TcpListener[]> {
  const settled = await Promise.allSettled(listening);
  const open = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = settled.find((each) => each.status === 'rejected');
  if (refused === undefined) return open;
  await Promise.all(open.map((listener) => listener.close()));
  throw refused.reason;
}

function cutOldest(sockets: Set<Socket>): void {
  const [oldest] = sockets;
  if (oldest === undefined) return;
  sockets.delete(oldest);
  oldest.destroy();
}

/** One spelling for an address, whether the socket listens on IPv4 or on both: `::ffff:10.0.0.7` is 10.0.0.7. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
