// Takes a number of bytes from a source that returns them in parts of any size.
import { ArchiveFault } from './faults.ts';

export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #onBytes: (bytes: Buffer) => void;
  #parts: Buffer[] = [];
  #held = 0;

  /** `onBytes` is called with all bytes in the order in which they are taken. */
  constructor(source: AsyncIterable<Buffer>, onBytes: (bytes: Buffer) => void = () => undefined) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onBytes = onBytes;
  }

  /** A source that ends earlier is truncated. */
  async take(count: number): Promise<Buffer> {
    while (this.#held < count) {
      if (!(await this.#more())) throw new ArchiveFault('truncated', `${count - this.#held} bytes are missing`);
    }
    const all = this.#parts.length === 1 && this.#parts[0] !== undefined ? this.#parts[0] : Buffer.concat(this.#parts);
    const taken = all.subarray(0, count);
    this.#parts = all.length > count ? [all.subarray(count)] : [];
    this.#held -= count;
    this.#onBytes(taken);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held === 0) if (!(await this.#more())) return true;
    return false;
  }

  /** Ends the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#parts.push(next.value);
    this.#held += next.value.length;
    return true;
  }
}
