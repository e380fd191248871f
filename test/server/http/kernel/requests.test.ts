// Requests on real sockets that are not waited for one by one, and servers beside the main one.
import { EventEmitter, once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../../../server/faults/sockets.ts';
import { CONNECTION_TIMES, CONNECTIONS_LIMIT, limitConnections } from '../../../../server/http/kernel/connections.ts';
import { createMainServer } from '../../../../server/http/kernel/httpServer.ts';
import { ADDRESS_REQUESTS_LIMIT, CONNECTION_REQUESTS_LIMIT } from '../../../../server/http/kernel/requests.ts';
import { startRedirect } from '../../../../server/http/tls/redirect.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

async function serve(answer: RequestListener) {
  const limits: string[] = [];
  const { server } = createMainServer(answer, {
    times: CONNECTION_TIMES,
    tls: undefined,
    requestClass: undefined,
    isTrustedProxy: () => false,
    onLimit: ({ name }) => void limits.push(name),
    onFault: noFaults,
  });
  await listenOn(server, '127.0.0.1', 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { limits, dial: () => dial((server.address() as AddressInfo).port) };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

it('a connection that writes requests without waiting for answers is cut', async () => {
  const waiting: ServerResponse[] = [];
  const { limits, dial } = await serve((_request, response) => void waiting.push(response));
  const socket = await dial();
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume().write(REQUEST.repeat(5_000));
  await isClosed;
  expect(waiting).toHaveLength(CONNECTION_REQUESTS_LIMIT.max);
  expect(limits).toEqual(['http.requests.connection']);
});

it('requests of connections that have closed take no places', async () => {
  let answers = 0;
  const { limits, dial } = await serve((request, response) => {
    if (request.url === '/now') response.end('now');
    else answers += 1;
  });
  // The first of each connection is told itself that the connection has closed.
  const rounds = Math.ceil(ADDRESS_REQUESTS_LIMIT.max / (CONNECTION_REQUESTS_LIMIT.max - 1)) + 1;
  for (let round = 1; round <= rounds; round++) {
    const socket = await dial();
    socket.write(REQUEST.repeat(CONNECTION_REQUESTS_LIMIT.max));
    await waitFor('the requests', () => answers === round * CONNECTION_REQUESTS_LIMIT.max);
    socket.destroy();
  }
  const socket = await dial();
  socket.write(REQUEST.replace('/', '/now'));
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  expect(limits).toEqual([]);
});

it('a connection that waits for its answers may go on for ever', async () => {
  const { limits, dial } = await serve((_request, response) => void response.end('answer'));
  const socket = await dial();
  for (let request = 0; request < 5 * CONNECTION_REQUESTS_LIMIT.max; request++) {
    socket.write(REQUEST);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect(limits).toEqual([]);
});

it('connections of a further server count with those of the first', () => {
  const limits: string[] = [];
  const first = new EventEmitter();
  const second = new EventEmitter();
  const limitAlso = limitConnections(first, {
    isTrustedProxy: () => true,
    onLimit: ({ name }) => void limits.push(name),
  });
  limitAlso(second);
  const arrive = (server: EventEmitter): boolean => {
    let isCut = false;
    const destroy = (): void => {
      isCut = true;
    };
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress: '192.0.2.1', destroy }));
    return isCut;
  };
  for (let count = 0; count < CONNECTIONS_LIMIT.max; count++) expect(arrive(first)).toBe(false);
  expect(arrive(second)).toBe(true);
  expect(limits).toEqual([CONNECTIONS_LIMIT.name]);
});

it('what redirects to TLS has the bounds of the main server', async () => {
  const limits: string[] = [];
  const watched: EventEmitter[] = [];
  const redirect = await startRedirect({
    host: '127.0.0.1',
    port: 0,
    securePort: 443,
    server: {
      times: { ...CONNECTION_TIMES, headersMs: 200, checkMs: 50 },
      limitConnections: (server) => void watched.push(server),
      onLimit: ({ name }) => void limits.push(name),
      onFault: noFaults,
    },
  });
  onTestFinished(() => redirect.close());
  expect(watched).toHaveLength(1);
  const socket = await dial(redirect.port);
  socket.write('GET / HT');
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error":true/);
  expect(limits).toEqual(['http.headers.ms']);
});
