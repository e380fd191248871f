import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { KeyAndCertificate } from '../../../server/http/tls/selfSigned.ts';

export interface SyslogSink {
  readonly port: number;
  /** All that came, of all connections. */
  readonly received: () => string;
  close(): Promise<void>;
}

/** A syslog server of the test's own. `onConnection` may destroy the socket. */
export async function startSyslogSink(
  tls?: KeyAndCertificate,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<SyslogSink> {
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    onConnection(socket);
  };
  const server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(chunks).toString(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
