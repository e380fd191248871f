// Downloads an image in parts, and goes on where it stopped when a connection breaks off.
import type { After } from '../../server/faults/timers.ts';
import { fetchFtpPart } from './parts/ftpPart.ts';
import { fetchHttpPart } from './parts/httpPart.ts';
import type { ImageSource, PartEnd, PartFetch } from './parts/part.ts';

export interface ImageDownloadOptions {
  readonly source: ImageSource;
  /** So much is asked for at once; 0: all of it. */
  readonly rangeBytes: number;
  readonly runAfter: After;
  /** Undefined: it couldn't be had. */
  readonly onEnd: (image: Uint8Array | undefined) => void;
}

const MAX_FAILURES = 5;
const RETRY_MS = 1_000;
/** By the protocol of the URL. */
const FETCHES: ReadonlyMap<string, PartFetch> = new Map([
  ['http:', fetchHttpPart],
  ['ftp:', fetchFtpPart],
]);

export function canDownload({ protocol }: URL): boolean {
  return FETCHES.has(protocol);
}

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
    const { source, rangeBytes } = this.#options;
    const fetchPart = FETCHES.get(source.url.protocol);
    if (fetchPart === undefined) {
      this.#end(false);
      return;
    }
    this.#stop = fetchPart({
      source,
      from: this.#receivedBytes,
      bytes: rangeBytes,
      onRestart: () => this.#restart(),
      onChunk: (chunk) => this.#take(chunk),
      onEnd: (end) => this.#answered(end),
    });
  }

  #restart(): void {
    this.#chunks = [];
    this.#receivedBytes = 0;
  }

  #take(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
  }

  #answered(end: PartEnd): void {
    if (this.#hasEnded) return;
    switch (end) {
      case 'whole':
        this.#end(true);
        return;
      case 'more':
        this.#failures = 0;
        this.#request();
        return;
      case 'failed':
        if (++this.#failures >= MAX_FAILURES) this.#end(false);
        else this.#stop = this.#options.runAfter(RETRY_MS, () => this.#request());
    }
  }

  #end(isThere: boolean): void {
    this.#hasEnded = true;
    this.#options.onEnd(isThere ? Buffer.concat(this.#chunks) : undefined);
  }
}
