// One HTTP request on a connection of its own. Redirects are not followed, and only the beginning of the answer is read.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { openRequest } from '../../../faults/requests.ts';
import { runAfter } from '../../../faults/timers.ts';
import { trustOf } from '../guard/connect.ts';
import { ANSWER_BYTES_LIMIT, CONNECT_MS, type Outbound } from '../outbound.ts';

export interface GuardedRequest {
  readonly method: string;
  /** If it has a name and password, they are sent as basic authentication. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly reason: string;
  /** Beginning of the body. */
  readonly text: string;
  /** Headers; '' where the answer has none. */
  readonly retryAfter?: string;
  readonly date?: string;
}

/** The outcome is known from the head of the answer; an endless body delays it no longer than this. */
const BODY_MS = 2_000;

/** Rejects when there is no answer. `onWritten`: called when the other side was sent the whole request. */
export async function guardedRequest(
  request: GuardedRequest,
  outbound: Outbound,
  signal: AbortSignal,
  onWritten: () => void = () => undefined,
): Promise<HttpAnswer> {
  const url = new URL(request.url);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const refused = outbound.guard.checkLiteral(hostname);
  if (refused !== undefined) throw refused;
  signal.throwIfAborted();
  const answer = await answerTo(request, { url, hostname }, { outbound, signal, onWritten });
  const text = await beginningOf(answer, outbound);
  const { 'retry-after': retryAfter = '', date = '' } = answer.headers;
  return { status: answer.statusCode ?? 0, reason: answer.statusMessage ?? '', text, retryAfter, date };
}

interface Target {
  readonly url: URL;
  readonly hostname: string;
}

interface Means {
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly onWritten: () => void;
}

function answerTo(
  { method, headers, body }: GuardedRequest,
  { url, hostname }: Target,
  { outbound, signal, onWritten }: Means,
): Promise<IncomingMessage> {
  const { protocol, port, pathname, search, username, password } = url;
  const request = openRequest(
    {
      method,
      protocol,
      hostname,
      port,
      path: pathname + search,
      signal,
      ...(username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      ...trustOf(outbound),
      headers: { 'user-agent': 'Fleetglass', ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: outbound.guard.lookup,
      // A kept connection would not be checked again.
      agent: false,
    },
    outbound.onFault,
  );
  return new Promise((resolve, reject) => {
    request.once('finish', onWritten);
    request.once('error', reject);
    request.once('close', () => reject(new Error('the other side closed the connection without an answer')));
    request.once('response', resolve);
    request.once('socket', (socket) => {
      const late = (): void => void request.destroy(new Error(`no connection within ${CONNECT_MS / 1_000} s`));
      socket.setTimeout(CONNECT_MS, late);
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => socket.setTimeout(0).off('timeout', late));
    });
    // The body goes as bytes: Node.js writes a text together with the headers, which it would then encode like the text.
    request.end(Buffer.from(body));
  });
}

/** Ignores the rest of the body: the connection is destroyed. */
function beginningOf(answer: IncomingMessage, { onLimit, onFault }: Outbound): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      cancel();
      answer.destroy();
      resolve(Buffer.concat(chunks).subarray(0, ANSWER_BYTES_LIMIT.max).toString());
    };
    const cancel = runAfter(BODY_MS, finish, onFault);
    answer.on('error', finish);
    answer.once('close', finish);
    answer.once('end', finish);
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= ANSWER_BYTES_LIMIT.max) return;
      onLimit(ANSWER_BYTES_LIMIT);
      answer.removeAllListeners('data');
      finish();
    });
  });
}
