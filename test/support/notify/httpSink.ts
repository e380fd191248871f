import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyAndCertificate } from '../../../server/http/tls/selfSigned.ts';

export interface TakenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpSink {
  readonly port: number;
  readonly requests: readonly TakenRequest[];
  close(): Promise<void>;
}

export type SinkAnswer = (response: ServerResponse, request: TakenRequest) => void;

/** A service of the test's own that takes requests and answers as the test says; left out: 200. */
export async function startHttpSink(
  answer: SinkAnswer = (response) => void response.end('taken'),
  tls?: KeyAndCertificate,
): Promise<HttpSink> {
  const requests: TakenRequest[] = [];
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const taken = { method, path: url, headers, body: Buffer.concat(chunks) };
      requests.push(taken);
      answer(response, taken);
    });
  };
  const server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
