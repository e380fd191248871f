// What a terminal has sent and nobody has handled yet. The socket is read no faster than that is worked off.
import type { Socket } from 'node:net';
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** Bytes behind the chunk that is being handled, with what keeping them costs. Beyond that the socket is not read. */
export const WAITING_BYTES_LIMIT: Limit = { name: 'terminals.waiting-bytes.connection', max: 16 * 1024 };
/** Of all connections together: one that has as much waiting as it may is cut beyond that. */
export const ALL_WAITING_BYTES_LIMIT: Limit = { name: 'terminals.waiting-bytes.all', max: 64 * 1024 * 1024 };
/** Beside its bytes a chunk costs its objects: bytes that come one at a time must not be cheaper than they are. */
const CHUNK_OVERHEAD_BYTES = 128;
/** Decoded at once: at most 36 of the shortest frames. */
const PIECE_BYTES = 512;

/** Bytes that wait on all connections of a port. */
export interface WaitingBytes {
  held: number;
}

export interface InputQueueDeps<Item> {
  readonly waiting: WaitingBytes;
  /** What is in the bytes, which are not kept. */
  readonly decode: (bytes: Uint8Array) => readonly Item[];
  /** The next item comes when it is done. A rejection ends the connection. */
  readonly handle: (item: Item) => Promise<void>;
  readonly onLimit: OnLimit;
  readonly onFault: (error: Error) => void;
}

/** Reads a socket that somebody else owns; ends with it. */
export class InputQueue<Item> {
  readonly #socket: Socket;
  readonly #deps: InputQueueDeps<Item>;
  /** What is in hand, as far as it is not decoded. Never kept longer: a small chunk may pin the 64 KiB it was read into. */
  #rest: Uint8Array | undefined;
  #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  #isWorking = false;
  #isPaused = false;

  constructor(socket: Socket, deps: InputQueueDeps<Item>) {
    this.#socket = socket;
    this.#deps = deps;
    socket.on('data', (chunk) => this.#push(chunk));
    socket.on('close', () => this.#clear());
  }

  /** Whether something waits to be handled: the peer's silence is then our own doing. */
  get isBusy(): boolean {
    return this.#isWorking;
  }

  #push(chunk: Uint8Array): void {
    if (this.#isWorking) {
      this.#hold(chunk);
      return;
    }
    this.#isWorking = true;
    this.#rest = chunk;
    this.#work().catch((cause: unknown) => {
      this.#deps.onFault(new Error('a terminal message could not be handled', { cause }));
      this.#socket.destroy();
    });
  }

  #hold(chunk: Uint8Array): void {
    this.#chunks.push(new Uint8Array(chunk));
    this.#count(costOf(chunk));
    if (this.#heldBytes <= WAITING_BYTES_LIMIT.max) return;
    if (this.#deps.waiting.held > ALL_WAITING_BYTES_LIMIT.max) {
      this.#deps.onLimit(ALL_WAITING_BYTES_LIMIT);
      this.#socket.destroy();
    } else if (!this.#isPaused) {
      this.#deps.onLimit(WAITING_BYTES_LIMIT);
      this.#isPaused = true;
      this.#socket.pause();
    }
  }

  async #work(): Promise<void> {
    for (let items = this.#decodeNext(); items !== undefined; items = this.#decodeNext()) {
      for (const item of items) {
        if (this.#socket.destroyed) return;
        await this.#deps.handle(item);
      }
    }
    this.#isWorking = false;
  }

  /** Undefined when nothing waits any more. */
  #decodeNext(): readonly Item[] | undefined {
    const bytes = this.#rest ?? this.#next();
    if (bytes === undefined) return undefined;
    this.#rest = bytes.length > PIECE_BYTES ? bytes.subarray(PIECE_BYTES) : undefined;
    return this.#deps.decode(bytes.subarray(0, PIECE_BYTES));
  }

  #next(): Uint8Array | undefined {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) this.#count(-costOf(chunk));
    if (chunk === undefined && this.#isPaused) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    return chunk;
  }

  #count(bytes: number): void {
    this.#heldBytes += bytes;
    this.#deps.waiting.held += bytes;
  }

  #clear(): void {
    this.#rest = undefined;
    this.#chunks = [];
    this.#count(-this.#heldBytes);
  }
}

function costOf(chunk: Uint8Array): number {
  return chunk.length + CHUNK_OVERHEAD_BYTES;
}
