// TCP sockets and their servers. A socket or a server without an `error` listener ends the process with its first error.
import {
  createServer as createHttp,
  type Server as HttpServer,
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttps, type ServerOptions as SecureOptions } from 'node:https';
import { connect, createServer, type NetConnectOpts, type Server, type ServerOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectSecurely, type TLSSocket } from 'node:tls';
import { containListeners } from './contain.ts';
import type { OnFault } from './onFault.ts';

/** An error of a socket (a reset, a broken TLS record) means that its other end is gone: `close` follows and cleans up. */
export function guardSocket<Connection extends Duplex>(socket: Connection, onFault: OnFault): Connection {
  socket.on('error', () => socket.destroy());
  containListeners(socket, onFault, () => socket.destroy());
  return socket;
}

/** A connection of ours to somewhere else. That it failed is told by its `close`. */
export function openSocket(options: NetConnectOpts, onFault: OnFault): Socket {
  return guardSocket(connect(options), onFault);
}

/** TLS over a socket that is connected. That it failed is told by its `close`, as of the socket below it. */
export function secureSocket(options: ConnectionOptions & { readonly socket: Socket }, onFault: OnFault): TLSSocket {
  return guardSocket(connectSecurely(options), onFault);
}

/** `accept` owns each socket; it is guarded before. */
export function createTcpServer(options: ServerOpts, accept: (socket: Socket) => void, onFault: OnFault): Server {
  return guardServer(
    createServer(options, (socket) => accept(guardSocket(socket, onFault))),
    onFault,
  );
}

export function createHttpServer(options: ServerOptions, answer: RequestListener, onFault: OnFault): HttpServer {
  return guardHttpServer(createHttp(options, answer), onFault);
}

export function createHttpsServer(options: SecureOptions, answer: RequestListener, onFault: OnFault): HttpServer {
  return guardHttpServer(createHttps(options, answer), onFault);
}

/** Its connections are the server's own; a request whose handling throws costs its connection. */
function guardHttpServer<Listener extends HttpServer>(server: Listener, onFault: OnFault): Listener {
  containListeners(server, onFault, (request) => {
    if (request instanceof IncomingMessage) request.socket.destroy();
  });
  return guardServer(server, onFault);
}

/** A server that listens reports connections that it could not accept, for want of descriptors for example. */
export function guardServer<Listener extends Server>(server: Listener, onFault: OnFault): Listener {
  server.on('error', (error) => {
    // Before that it is the answer to `listen`, whose caller is told.
    if (server.listening) onFault(error);
  });
  return server;
}

/** Rejects when the port cannot be had. */
export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
