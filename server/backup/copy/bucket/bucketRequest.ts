// One request to the bucket on a connection of its own. Redirects are not followed.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { OnFault } from '../../../faults/onFault.ts';
import { openRequest } from '../../../faults/requests.ts';
import { runAfter } from '../../../faults/timers.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { BucketAnswer } from './bucketAnswer.ts';

/** Size of an answer of the bucket; the answers needed have a few hundred bytes. The connection is closed, and the request tried again. */
export const COPY_ANSWER_LIMIT: Limit = { name: 'backup.copy-answer.bytes', max: 65_536 };
/** Header in which the service returns a copy's hash. */
export const SHA256_HEADER = 'x-amz-meta-sha256';

/** Times in milliseconds. */
export interface BucketTimes {
  readonly connectMs: number;
  /** Time without a byte in either direction. Some services need a minute to complete a large upload. */
  readonly idleMs: number;
  /** Time of a whole request, so that a part at 10 kB/s is still sent. */
  readonly requestMs: number;
}

export const BUCKET_TIMES: BucketTimes = { connectMs: 15_000, idleMs: 120_000, requestMs: 1_800_000 };

export interface BucketMeans {
  readonly times: BucketTimes;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Size of the slices in which a part is encrypted for TLS: as a whole it would block everything else for tens of milliseconds. */
const SLICE_BYTES = 262_144;

/** Rejects when there is no complete answer. */
export async function sendSigned(
  { method, url, headers, body }: SignedRequest,
  means: BucketMeans,
  signal: AbortSignal,
): Promise<BucketAnswer> {
  signal.throwIfAborted();
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const request = openRequest(
    {
      method,
      protocol: url.protocol,
      hostname,
      port: url.port,
      path: url.pathname + url.search,
      signal,
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      headers: { 'user-agent': 'Fleetglass', ...headers, host: url.host, 'content-length': body.length },
      agent: false,
    },
    means.onFault,
  );
  const end = (reason: string): void => void request.destroy(new Error(reason));
  const cancel = runAfter(means.times.requestMs, () => end('the request took too long'), means.onFault);
  try {
    const answered = answerTo(request);
    endWhenSilent(request, url.protocol === 'https:' ? 'secureConnect' : 'connect', means.times);
    writeSlices(request, body);
    return await wholeAnswer(await answered, request, means.onLimit);
  } finally {
    cancel();
    request.destroy();
  }
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
    request.once('response', resolve);
  });
}

function endWhenSilent(
  request: ClientRequest,
  connected: 'connect' | 'secureConnect',
  { connectMs, idleMs }: BucketTimes,
): void {
  request.once('socket', (socket) => {
    let what = 'no connection in time';
    socket.setTimeout(connectMs, () => request.destroy(new Error(what)));
    socket.once(connected, () => {
      what = 'the connection was silent for too long';
      socket.setTimeout(idleMs);
    });
  });
}

/** Writes slices as fast as the connection takes them. */
function writeSlices(request: ClientRequest, body: Uint8Array): void {
  let sent = 0;
  const writeNext = (): void => {
    while (sent < body.length) {
      const slice = body.subarray(sent, sent + SLICE_BYTES);
      sent += slice.length;
      if (request.write(slice)) continue;
      request.once('drain', writeNext);
      return;
    }
    request.end();
  };
  writeNext();
}

function wholeAnswer(answer: IncomingMessage, request: ClientRequest, onLimit: OnLimit): Promise<BucketAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('error', reject);
    answer.on('error', reject);
    answer.once('close', () => reject(new Error('the connection was closed within an answer')));
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= COPY_ANSWER_LIMIT.max) chunks.push(chunk);
      else if (size - chunk.length <= COPY_ANSWER_LIMIT.max) {
        onLimit(COPY_ANSWER_LIMIT);
        reject(new Error('the answer was too long'));
        answer.destroy();
      }
    });
    answer.once('end', () => resolve(read(answer, Buffer.concat(chunks).toString())));
  });
}

function read({ statusCode = 0, headers }: IncomingMessage, text: string): BucketAnswer {
  const { etag = '', 'content-length': length = '' } = headers;
  const sha256 = headers[SHA256_HEADER];
  return {
    status: statusCode,
    etag,
    bytes: /^\d{1,15}$/.test(length) ? Number(length) : undefined,
    sha256: typeof sha256 === 'string' ? sha256 : '',
    text,
  };
}
