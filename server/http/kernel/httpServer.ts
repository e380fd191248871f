// The servers that listen for HTTP, each with its handlers and its bounds from the line that creates it.
import type { Server as HttpServer, IncomingMessage, RequestListener, ServerOptions } from 'node:http';
import type { OnFault } from '../../faults/onFault.ts';
import { createHttpServer, createHttpsServer } from '../../faults/sockets.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { KeyAndCertificate } from '../tls/selfSigned.ts';
import {
  type ConnectionGuard,
  type ConnectionTimes,
  clientErrorHandler,
  type LimitConnections,
  limitConnections,
} from './connections.ts';
import { limitRequests } from './requests.ts';

export interface MainServerDeps extends ConnectionGuard {
  readonly times: ConnectionTimes;
  /** Undefined: plain HTTP. */
  readonly tls: KeyAndCertificate | undefined;
  readonly requestClass: typeof IncomingMessage | undefined;
  readonly onFault: OnFault;
}

export interface MainServer {
  readonly server: HttpServer;
  /** For a further server, on the same counts. */
  readonly limitConnections: LimitConnections;
}

/** What pages and API are served by. What it is to say to what is no request is added by whoever answers. */
export function createMainServer(answer: RequestListener, deps: MainServerDeps): MainServer {
  const { times, tls, requestClass, onFault } = deps;
  const limited = limitRequests(answer, deps);
  const options = { ...optionsOf(times), ...(requestClass === undefined ? {} : { IncomingMessage: requestClass }) };
  const secure = { ...options, ...tls, minVersion: 'TLSv1.2' as const, handshakeTimeout: times.handshakeMs };
  const server =
    tls === undefined ? createHttpServer(options, limited, onFault) : createHttpsServer(secure, limited, onFault);
  return { server, limitConnections: limitConnections(server, deps) };
}

export interface SecondServerDeps {
  readonly times: ConnectionTimes;
  readonly limitConnections: LimitConnections;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

/** A server beside the main one, whose answers are made at once. */
export function createSecondServer(answer: RequestListener, deps: SecondServerDeps): HttpServer {
  const server = createHttpServer(optionsOf(deps.times), answer, deps.onFault);
  deps.limitConnections(server);
  server.on('clientError', clientErrorHandler(deps));
  return server;
}

/** Longer than the minute after which proxies close an idle connection, so that none sends a request to one that we close. */
const KEEP_ALIVE_MS = 72_000;

function optionsOf({ headersMs, requestMs, checkMs }: ConnectionTimes): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
}
