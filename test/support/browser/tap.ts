// A proxy between a browser and the gateway, on a port of its own. `Host` passes unchanged, so that the gateway checks
// origins as it would without it. It records every request and upgrade and does to them what rules say.
import { createServer, type IncomingMessage, request as requestUpstream, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { matches, type TapAction, type TapMatch, type TapRequest, type TapRule, takeAction } from './tapRules.ts';

export interface Tap {
  /** Without a slash at its end. */
  readonly address: string;
  /** Every request so far, or those that fit. */
  requests(match?: TapMatch): readonly TapRequest[];
  /** Adds a rule that goes before the older ones; the result removes it. `times` limits how many requests it takes. */
  when(match: TapMatch, action: TapAction, times?: number): () => void;
  /** Removes every rule and forgets every request. */
  reset(): void;
  /** The requests of the WebSockets that are open now and fit. */
  openSockets(match: TapMatch): readonly TapRequest[];
  /** Resets the open WebSockets that fit. */
  cutSockets(match: TapMatch): void;
  close(): Promise<void>;
}

interface OpenSocket {
  readonly request: TapRequest;
  readonly browser: Socket;
}

/** `upstream` is the gateway's address. */
export async function startTap(upstream: string, host = '127.0.0.1'): Promise<Tap> {
  const target = new URL(upstream);
  const seen: TapRequest[] = [];
  const rules: TapRule[] = [];
  const connections = new Set<Socket>();
  const sockets = new Set<OpenSocket>();

  const server = createServer((incoming, response) => void answerRequest(incoming, response));
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const request = record('upgrade', incoming, '');
    const action = takeAction(rules, request);
    void passUpgrade({ incoming, socket, head, target, action }).then((isOpen) => {
      if (!isOpen) return;
      const open = { request, browser: socket };
      sockets.add(open);
      socket.once('close', () => sockets.delete(open));
    });
  });

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const request = record('http', incoming, body.toString('utf8'));
    const action = takeAction(rules, request);
    await act({ action, incoming, body, response, target });
  }

  function record(kind: TapRequest['kind'], incoming: IncomingMessage, body: string): TapRequest {
    const [path = '', search = ''] = (incoming.url ?? '').split('?', 2);
    const query = new URLSearchParams(search);
    const { method = 'GET', headers } = incoming;
    const request = { kind, method, path, query, headers, body, atMs: performance.now() };
    seen.push(request);
    return request;
  }

  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${host}:${port}`,
    requests: (match) => seen.filter((request) => match === undefined || matches(match, request)),
    when: (match, action, times = Number.POSITIVE_INFINITY) => {
      const rule = { match, action, left: times };
      rules.push(rule);
      return () => {
        rule.left = 0;
      };
    },
    reset: () => {
      rules.length = 0;
      seen.length = 0;
    },
    openSockets: (match) => [...sockets].map(({ request }) => request).filter((request) => matches(match, request)),
    cutSockets: (match) => {
      for (const { request, browser } of sockets) if (matches(match, request)) browser.resetAndDestroy();
    },
    close: () => {
      for (const socket of connections) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Exchange {
  readonly action: TapAction | undefined;
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly target: URL;
}

async function act(exchange: Exchange): Promise<void> {
  const { action, incoming, response } = exchange;
  switch (action?.kind) {
    case undefined:
      return pass(exchange);
    case 'hold':
      await action.until;
      return pass(exchange);
    case 'edit':
      return pass(exchange, { edit: action.edit });
    case 'slow':
      await action.after;
      return pass(exchange, { bytesPerSecond: action.bytesPerSecond });
    case 'stall':
      return;
    case 'cut':
      incoming.socket.resetAndDestroy();
      return;
    case 'answer':
      answer(response, action);
  }
}

function answer(response: ServerResponse, action: TapAction & { kind: 'answer' }): void {
  const isText = typeof action.body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  response.statusCode = action.status ?? 200;
  if (action.statusText !== undefined) response.statusMessage = action.statusText;
  response.setHeader('content-type', type);
  for (const [name, value] of Object.entries(action.headers ?? {})) response.setHeader(name, value);
  response.end(isText ? action.body : JSON.stringify(action.body));
}

interface Passing {
  readonly edit?: (text: string) => string;
  readonly bytesPerSecond?: number;
}

/** Passes one request on and its answer back; a gateway that cannot be reached resets the browser's connection. */
function pass(exchange: Exchange, { edit, bytesPerSecond }: Passing = {}): Promise<void> {
  const { incoming, body, response, target } = exchange;
  return new Promise((resolve) => {
    // An edited answer must be text, and one that the gateway does not say to be unchanged.
    const headers = edit === undefined ? incoming.headers : plainHeaders(incoming);
    const { hostname, port } = target;
    const up = requestUpstream({ hostname, port, method: incoming.method, path: incoming.url, headers }, (reply) => {
      if (edit === undefined) {
        response.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.headers);
        void copyBody(reply, response, bytesPerSecond);
      } else {
        void readAll(reply).then((text) => {
          const { 'content-length': _length, ...rest } = reply.headers;
          response.writeHead(reply.statusCode ?? 502, reply.statusMessage, rest);
          response.end(edit(text.toString('utf8')));
        });
      }
      response.once('close', resolve);
    });
    up.once('error', () => {
      incoming.socket.destroy();
      resolve();
    });
    up.end(body);
  });
}

/** Who breaks off, gateway or browser, breaks off for the other too. */
async function copyBody(reply: IncomingMessage, response: ServerResponse, bytesPerSecond?: number): Promise<void> {
  const pace = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      yield chunk;
      if (bytesPerSecond !== undefined) await delay((chunk.length / bytesPerSecond) * 1_000);
    }
  };
  await pipeline(reply, pace, response).catch(() => {});
}

function plainHeaders(incoming: IncomingMessage): IncomingMessage['headers'] {
  const {
    'accept-encoding': _encoding,
    'if-none-match': _etag,
    'if-modified-since': _since,
    ...rest
  } = incoming.headers;
  return rest;
}

interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly target: URL;
  readonly action: TapAction | undefined;
}

/** Whether the socket is passed on to the gateway, byte by byte. */
async function passUpgrade({ incoming, socket, head, target, action }: Upgrade): Promise<boolean> {
  socket.on('error', () => socket.destroy());
  if (action?.kind === 'cut') socket.resetAndDestroy();
  if (action?.kind === 'answer')
    socket.end(`HTTP/1.1 ${action.status ?? 503} ${action.statusText ?? 'Refused'}\r\n\r\n`);
  if (action?.kind === 'cut' || action?.kind === 'answer' || action?.kind === 'stall') return false;
  if (action?.kind === 'hold') await action.until;
  const up = connect(Number(target.port), target.hostname);
  up.on('error', () => socket.destroy());
  up.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${rawHeaders(incoming)}\r\n`);
  up.write(head);
  join(socket, up);
  return true;
}

function rawHeaders({ rawHeaders: list }: IncomingMessage): string {
  return list.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
