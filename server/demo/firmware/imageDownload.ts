// Downloads an image by http, in ranges, and goes on where it stopped when a connection breaks off.
import type { IncomingMessage } from 'node:http';
import { openRequest } from '../../faults/requests.ts';
import type { After } from '../../faults/timers.ts';
import { reportFault } from '../reportFault.ts';

export interface ImageDownloadOptions {
  readonly url: URL;
  /** So much is asked for at once; 0: all of it. */
  readonly rangeBytes: number;
  readonly runAfter: After;
  /** Undefined: it couldn't be had. */
  readonly onEnd: (image: Uint8Array | undefined) => void;
}

const MAX_FAILURES = 5;
const RETRY_MS = 1_000;
const PARTIAL = 206;
const WHOLE = 200;
const BEHIND_THE_END = 416;

/** Owns its connection until it has ended, or until `close`. */
export class ImageDownload {
  readonly #options: ImageDownloadOptions;
  #chunks: Uint8Array[] = [];
  #receivedBytes = 0;
  #failures = 0;
  #hasEnded = false;
  #stop: () => void = () => undefined;

  constructor(options: ImageDownloadOptions) {
    this.#options = options;
    this.#request();
  }

  close(): void {
    this.#hasEnded = true;
    this.#stop();
  }

  #request(): void {
    const { url, rangeBytes } = this.#options;
    const from = this.#receivedBytes;
    const to = rangeBytes > 0 ? String(from + rangeBytes - 1) : '';
    const isPart = from > 0 || rangeBytes > 0;
    const request = openRequest(
      {
        protocol: url.protocol,
        host: url.hostname,
        port: url.port,
        path: url.pathname,
        agent: false,
        ...(isPart && { headers: { range: `bytes=${from}-${to}` } }),
      },
      reportFault,
    );
    this.#stop = () => request.destroy();
    let response: IncomingMessage | undefined;
    request.on('response', (came) => {
      response = came;
      if (came.statusCode === WHOLE) this.#restart();
      if (came.statusCode !== WHOLE && came.statusCode !== PARTIAL) came.resume();
      else came.on('data', (chunk: Uint8Array) => this.#take(chunk));
    });
    request.on('close', () => this.#answered(response, from));
    request.end();
  }

  /** What came is from the beginning. */
  #restart(): void {
    this.#chunks = [];
    this.#receivedBytes = 0;
  }

  #take(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
  }

  #answered(response: IncomingMessage | undefined, from: number): void {
    if (this.#hasEnded) return;
    const isGood = response?.complete === true && (response.statusCode === WHOLE || response.statusCode === PARTIAL);
    if (isGood) this.#failures = 0;
    if (isGood ? isWhole(response, this.#receivedBytes) : from > 0 && response?.statusCode === BEHIND_THE_END) {
      this.#end(true);
    } else if (isGood) {
      this.#request();
    } else if (++this.#failures >= MAX_FAILURES) {
      this.#end(false);
    } else {
      this.#stop = this.#options.runAfter(RETRY_MS, () => this.#request());
    }
  }

  #end(isThere: boolean): void {
    this.#hasEnded = true;
    this.#options.onEnd(isThere ? Buffer.concat(this.#chunks) : undefined);
  }
}

/** `Content-Range: bytes 0-99/1000` says how long it is. */
function isWhole({ statusCode, headers }: IncomingMessage, receivedBytes: number): boolean {
  if (statusCode === WHOLE) return true;
  const [, total] = /\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return total === undefined || receivedBytes >= Number(total);
}
