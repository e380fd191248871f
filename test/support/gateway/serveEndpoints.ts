// An HTTP server on a free port that serves WebSockets as the gateway's own does.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { UpgradeServer, type UpgradeServerDeps } from '../../../server/http/kernel/upgrades/upgradeServer.ts';
import type { SocketEndpoint } from '../../../server/sockets/socketEndpoint.ts';
import { noFaults } from '../fakes/noFaults.ts';

export interface ServedEndpoints {
  readonly port: number;
  readonly upgrades: UpgradeServer;
  /** Says goodbye to every client, and stops listening. */
  close(): Promise<void>;
}

export async function serveEndpoints(
  endpoints: readonly SocketEndpoint[],
  options: Partial<UpgradeServerDeps> = {},
): Promise<ServedEndpoints> {
  const upgrades = new UpgradeServer({
    isAllowedOrigin: () => true,
    clientAddress: ({ socket }: IncomingMessage) => socket.remoteAddress ?? '',
    runAfter: createRunAfter(noFaults),
    onLimit: () => undefined,
    onFault: noFaults,
    ...options,
  });
  upgrades.add(endpoints);
  const server = createServer({ IncomingMessage: upgrades.requestClass }, (_request, response) => {
    response.writeHead(404).end();
  });
  upgrades.listenOn(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    upgrades,
    close: async () => {
      await upgrades.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
