// Where log lines go: a descriptor that may take none, because its disk is full, its terminal gone or its reader stalled.
import { writeSync } from 'node:fs';

/** Time that a line waits in total for a slow reader, and the interval of its tries. The process is blocked meanwhile. */
const PATIENCE_MS = 1_000;
const RETRY_MS = 20;

/** Writes some of the bytes and says how many; throws when it takes none. */
type WriteBytes = (bytes: Buffer) => number;

export interface LogOutputDeps {
  readonly writeBytes: WriteBytes;
  /** Blocks: a line is written before the call returns, so that none is lost when the process ends. */
  readonly sleep: (ms: number) => void;
}

/**
 * Never throws and never waits for long: the library's own destination answers ENOSPC and EIO with an exception, and retries
 * for ever when it is flushed, with the event loop standing still. Lines that cannot be written are lost and counted.
 */
export class LogOutput {
  readonly #deps: LogOutputDeps;
  #lostLines = 0;
  /** A reader that was waited for in vain is not waited for again until it has taken a line. */
  #isStalled = false;
  /** The line before was written in part. */
  #isTorn = false;

  constructor(deps: LogOutputDeps) {
    this.#deps = deps;
  }

  get lostLines(): number {
    return this.#lostLines;
  }

  write(line: string): void {
    if (!this.#writeWhole(Buffer.from(this.#isTorn ? `\n${line}` : line))) this.#lostLines += 1;
  }

  #writeWhole(bytes: Buffer): boolean {
    let patienceMs = this.#isStalled ? 0 : PATIENCE_MS;
    let written = 0;
    while (written < bytes.length) {
      try {
        written += this.#deps.writeBytes(bytes.subarray(written));
      } catch (error) {
        if (!isBehind(error) || patienceMs <= 0) {
          this.#isStalled = isBehind(error);
          this.#isTorn ||= written > 0;
          return false;
        }
        this.#deps.sleep(RETRY_MS);
        patienceMs -= RETRY_MS;
      }
    }
    this.#isStalled = false;
    this.#isTorn = false;
    return true;
  }
}

export function openLogOutput(descriptor: number): LogOutput {
  const never = new Int32Array(new SharedArrayBuffer(4));
  return new LogOutput({
    writeBytes: (bytes) => writeSync(descriptor, bytes),
    sleep: (ms) => void Atomics.wait(never, 0, 0, ms),
  });
}

/** A pipe that is full, whose reader may go on. */
function isBehind(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EAGAIN' || code === 'EBUSY';
}
