// The newest lines of the log, in memory, for users without access to standard error.

export interface LogRingBounds {
  readonly lines: number;
  /** Bytes of all lines, as UTF-8. The engine may take twice as much for text that isn't Latin. */
  readonly bytes: number;
  /** Longer lines are cut: they would push many others out. */
  readonly lineLength: number;
}

const LOG_RING_BOUNDS: LogRingBounds = { lines: 5_000, bytes: 8 * 1024 * 1024, lineLength: 16 * 1024 };

/** The oldest lines make room for new ones. Never throws and never waits. */
export class LogRing {
  readonly #bounds: LogRingBounds;
  /** Lines by number modulo the size. */
  readonly #lines: string[] = [];
  /** Number of the oldest line kept, and of the next one. */
  #first = 0;
  #next = 0;
  #bytes = 0;

  constructor(bounds: LogRingBounds = LOG_RING_BOUNDS) {
    this.#bounds = bounds;
  }

  write(line: string): void {
    const kept = this.#cut(line.trimEnd());
    const bytes = Buffer.byteLength(kept);
    while (this.#next > this.#first && !this.#hasRoom(bytes)) this.#dropOldest();
    this.#lines[this.#next % this.#bounds.lines] = kept;
    this.#next += 1;
    this.#bytes += bytes;
  }

  /** A copy of the lines, oldest first, without line ends. */
  read(): readonly string[] {
    const at = this.#first % this.#bounds.lines;
    const kept = [...this.#lines.slice(at), ...this.#lines.slice(0, at)];
    return kept.slice(0, this.#next - this.#first);
  }

  #hasRoom(bytes: number): boolean {
    return this.#next - this.#first < this.#bounds.lines && this.#bytes + bytes <= this.#bounds.bytes;
  }

  #dropOldest(): void {
    const at = this.#first % this.#bounds.lines;
    this.#bytes -= Buffer.byteLength(this.#lines[at] ?? '');
    this.#lines[at] = '';
    this.#first += 1;
  }

  #cut(line: string): string {
    if (line.length <= this.#bounds.lineLength) return line;
    // Copied, because a part of a string keeps the whole string in memory.
    return Buffer.from(line.slice(0, this.#bounds.lineLength)).toString();
  }
}
