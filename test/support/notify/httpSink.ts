// A service of a test's own that takes calls, and answers as it is told to.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TakenCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A status, or `hang`: no answer ever. */
export type SinkAnswer = number | 'hang';

export interface HttpSink {
  /** Such as http://127.0.0.1:40001. */
  readonly address: string;
  /** All that came, whatever it was answered with. */
  readonly calls: readonly TakenCall[];
  /** The next calls, one after the other; every other is answered with 200. */
  answerNext(...answers: readonly SinkAnswer[]): void;
  close(): Promise<void>;
}

/** Who starts it closes it. */
export async function startHttpSink(usual = 200): Promise<HttpSink> {
  const calls: TakenCall[] = [];
  const planned: SinkAnswer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      calls.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      const answer = planned.shift() ?? usual;
      if (answer !== 'hang') response.writeHead(answer).end('answered by the test');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answerNext: (...answers) => {
      planned.push(...answers);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
