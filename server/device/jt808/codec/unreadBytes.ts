const FIRST_BUFFER_BYTES = 4096;

/**
 * The bytes of a stream that wait for more. Each is copied a few times at most, however the stream is chunked. What `view`
 * gave stays valid, because no buffer is used twice; chunks must not be written to once they were appended.
 */
export class UnreadBytes {
  /** Bytes from `#start` to `#end` wait. What lies before them has been handed out; what follows is free. */
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;

  get view(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(chunk: Uint8Array): void {
    const held = this.#end - this.#start;
    if (held === 0) {
      // Sockets give Buffers, whose `slice` and comparison behave differently from those of the Uint8Arrays that bodies are.
      this.#buffer = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    // A chunk of the caller's is full to its end, so nothing is ever appended to one.
    if (this.#end + chunk.length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(FIRST_BUFFER_BYTES, 2 * held, held + chunk.length));
      larger.set(this.view);
      this.#buffer = larger;
      this.#start = 0;
      this.#end = held;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The first `count` bytes of the view have been read. */
  skip(count: number): void {
    this.#start += count;
  }
}
