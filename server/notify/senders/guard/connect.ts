// Connections to hosts that somebody has configured, checked by the guard.
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { openSocket, secureSocket } from '../../../faults/sockets.ts';
import { CONNECT_MS, type Outbound } from '../outbound.ts';

export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** A connected socket, which the caller owns; it is destroyed when the signal is aborted. */
export function connectGuarded({ host, port }: Peer, outbound: Outbound, signal: AbortSignal): Promise<Socket> {
  const refused = outbound.guard.checkLiteral(host);
  if (refused !== undefined) return Promise.reject(refused);
  const socket = openSocket({ host, port, lookup: outbound.guard.lookup, signal }, outbound.onFault);
  return whenReady(socket, 'connect', `no connection within ${CONNECT_MS / 1_000} s`);
}

/** TLS over the socket, with the certificate checked for the host. */
export function secureGuarded(socket: Socket, { host }: Peer, outbound: Outbound): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const secure = secureSocket({ socket, host, ...name, ...trustOf(outbound) }, outbound.onFault);
  return whenReady(secure, 'secureConnect', `no TLS connection within ${CONNECT_MS / 1_000} s`);
}

/** Certificates are always checked, whatever the environment of the process says. */
export function trustOf({ authorities }: Pick<Outbound, 'authorities'>) {
  return { rejectUnauthorized: true, ...(authorities === undefined ? {} : { ca: [...authorities] }) };
}

/** Rejects with the error that ended the socket, or when it is not ready in time. */
function whenReady<Connection extends Socket>(socket: Connection, ready: string, late: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(error);
    socket.once('error', fail);
    socket.once('close', () => reject(new Error('the other side closed the connection')));
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(late)));
    socket.once(ready, () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
