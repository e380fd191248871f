// A way to a PostgreSQL server that breaks: a connection after some number of bytes of statements, or all of them from then on.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** URL of the same database, through the proxy. */
  readonly url: string;
  /** Bytes of statements so far. */
  readonly passed: () => number;
  close(): Promise<void>;
}

export interface Cut {
  /** `Infinity`: never. */
  readonly afterBytes: number;
  /** The server is gone for good. */
  readonly isForGood: boolean;
}

export async function startCuttingProxy(url: string, { afterBytes, isForGood }: Cut): Promise<CuttingProxy> {
  let passed = 0;
  let isCut = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (isCut && isForGood) return void client.destroy();
    const upstream = connectServer(url);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        end();
      });
    }
    client.on('data', (part: Buffer) => {
      passed += part.length;
      if (isCut || passed <= afterBytes) return void upstream.write(part);
      isCut = true;
      if (isForGood) for (const socket of open) socket.destroy();
      else end();
    });
    upstream.on('data', (part: Buffer) => void client.write(part));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlAt(url, (server.address() as AddressInfo).port),
    passed: () => passed,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A host that is a folder holds the server's socket. */
function connectServer(address: string): Socket {
  const { hostname, port, searchParams } = new URL(address);
  const host = searchParams.get('host') ?? hostname;
  const number = port === '' ? 5432 : Number(port);
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${number}`) : connect(number, host);
}

function urlAt(address: string, port: number): string {
  const url = new URL(address);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
