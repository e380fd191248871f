// Data received from a terminal and not handled yet. The socket is read no faster than this is worked off.
import type { Socket } from 'node:net';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { BytesHolder, WaitingBytes } from './waitingBytes.ts';

/**
 * Data read but not yet processed, of a signed-in terminal, beside the current chunk (64 KiB at most), overhead included. The socket is not
 * read until all is processed. Nothing is lost.
 */
export const WAITING_BYTES_LIMIT: Limit = { name: 'terminals.waiting-bytes.connection', max: 16 * 1024 };
/**
 * Data read but not yet processed, of a connection that has not signed in: enough for an authentication, and a few reports of a terminal
 * that doesn't wait for the answer. The socket is not read until all is processed. Nothing is lost.
 */
export const UNAUTHENTICATED_WAITING_BYTES_LIMIT: Limit = {
  name: 'terminals.waiting-bytes.unauthenticated',
  max: 2 * 1024,
};
/** Memory of a chunk's objects beside its bytes, so that data sent byte by byte is bounded too. */
const CHUNK_OVERHEAD_BYTES = 128;
/** Bytes decoded at once: at most 36 of the shortest frames. */
const PIECE_BYTES = 512;

export interface InputQueueDeps<Item> {
  readonly waiting: WaitingBytes;
  /** Address key. */
  readonly address: string;
  /** Decodes the bytes, which are not kept afterwards. */
  readonly decode: (bytes: Uint8Array) => readonly Item[];
  /** Awaited before the next item. A rejection ends the connection. */
  readonly handle: (item: Item) => Promise<void>;
  readonly onLimit: OnLimit;
  readonly onFault: (error: Error) => void;
}

/** Reads a socket that somebody else owns; ends with it. */
export class InputQueue<Item> implements BytesHolder {
  readonly #socket: Socket;
  readonly #deps: InputQueueDeps<Item>;
  /**
   * The part of the current chunk that isn't decoded. Not kept longer than needed: a small chunk may keep a 64 KiB read
   * buffer alive.
   */
  #rest: Uint8Array | undefined;
  #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  /** Size of the current chunk, which stays in memory until its end is decoded. */
  #inHandBytes = 0;
  #hasSignedIn = false;
  #isWorking = false;
  #isPaused = false;

  constructor(socket: Socket, deps: InputQueueDeps<Item>) {
    this.#socket = socket;
    this.#deps = deps;
    socket.on('data', (chunk) => this.#push(chunk));
    socket.on('close', () => this.#clear());
  }

  get address(): string {
    return this.#deps.address;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get hasSignedIn(): boolean {
    return this.#hasSignedIn;
  }

  /** Whether data is waiting to be handled, so that silence isn't the terminal's fault. */
  get isBusy(): boolean {
    return this.#isWorking;
  }

  /** The connection is a terminal's: more of it may wait. */
  trust(): void {
    const held = this.#heldBytes;
    this.#count(-held);
    this.#hasSignedIn = true;
    this.#count(held);
  }

  cut(): void {
    this.#clear();
    this.#socket.destroy();
  }

  #push(chunk: Uint8Array): void {
    if (this.#isWorking) {
      this.#hold(chunk);
      return;
    }
    this.#isWorking = true;
    this.#rest = chunk;
    this.#inHandBytes = costOf(chunk);
    this.#count(this.#inHandBytes);
    this.#work().catch((cause: unknown) => {
      this.#deps.onFault(new Error('a terminal message could not be handled', { cause }));
      this.#socket.destroy();
    });
  }

  #hold(chunk: Uint8Array): void {
    this.#chunks.push(new Uint8Array(chunk));
    this.#count(costOf(chunk));
    const limit = this.#hasSignedIn ? WAITING_BYTES_LIMIT : UNAUTHENTICATED_WAITING_BYTES_LIMIT;
    if (this.#isPaused || this.#heldBytes - this.#inHandBytes <= limit.max) return;
    this.#deps.onLimit(limit);
    this.#isPaused = true;
    this.#socket.pause();
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
    this.#count(-this.#inHandBytes);
    const chunk = this.#chunks.shift();
    this.#inHandBytes = chunk === undefined ? 0 : costOf(chunk);
    if (chunk === undefined && this.#isPaused) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    return chunk;
  }

  #count(bytes: number): void {
    if (bytes === 0) return;
    this.#heldBytes += bytes;
    this.#deps.waiting.changed(this, bytes);
  }

  #clear(): void {
    this.#rest = undefined;
    this.#chunks = [];
    this.#inHandBytes = 0;
    this.#count(-this.#heldBytes);
  }
}

function costOf(chunk: Uint8Array): number {
  return chunk.length + CHUNK_OVERHEAD_BYTES;
}
