// Answers plain HTTP with where to find the same address over TLS.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { listenOn } from '../../faults/sockets.ts';
import { createSecondServer, type SecondServerDeps } from '../kernel/httpServer.ts';

export interface Redirect {
  readonly port: number;
  readonly isListening: boolean;
  close(): Promise<void>;
}

/** A host as a browser sends it; anything else is not repeated in an answer. */
const HOST = /^([a-z\d.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The address to go to, or undefined when the request names no host. Pure. */
export function redirectTarget(host: string | undefined, url: string, securePort: number): string | undefined {
  const name = HOST.exec(host ?? '')?.[1];
  if (name === undefined || !/^\/(?!\/)[\x21-\x7e]*$/.test(url)) return undefined;
  return `https://${name}${securePort === 443 ? '' : `:${securePort}`}${url}`;
}

export interface RedirectDeps {
  readonly host: string;
  readonly port: number;
  readonly securePort: number;
  readonly server: SecondServerDeps;
}

export async function startRedirect({ host, port, securePort, server: deps }: RedirectDeps): Promise<Redirect> {
  const server = createSecondServer((request, response) => {
    const target = redirectTarget(request.headers.host, request.url ?? '', securePort);
    // 308 keeps the method. The address may hold a credential, so that no copy of it is to stay behind.
    if (target === undefined) response.writeHead(400, { connection: 'close' });
    else response.writeHead(308, { location: target, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    response.end();
  }, deps);
  await listenOn(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    get isListening() {
      return server.listening;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
