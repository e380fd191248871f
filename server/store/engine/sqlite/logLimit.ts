// Bounds the write-ahead log. The engine begins it anew only in a moment in which nobody reads, and reads that follow one another
// without a pause leave none: the log would grow with every write until they end.
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SqliteClient } from './client.ts';
import type { Statement } from './messages.ts';

/** Normally it has some 4 MB: the engine moves every thousand pages into the file. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 5_000;
/** The writer may be in a transaction, which waits for a read itself. */
const PATIENCE_MS = 1_000;

const CHECKPOINT: Statement = { kind: 'checkpoint', sql: 'pragma wal_checkpoint(TRUNCATE)', parameters: [] };

export interface LogLimits {
  readonly maxLogBytes: number;
  readonly checkIntervalMs: number;
}

/** What the reading connection does between two statements. The log grows by what is written in an interval and one statement more. */
export function createLogLimit(
  file: string,
  writer: Pick<SqliteClient, 'run'>,
  limits: LogLimits = { maxLogBytes: MAX_LOG_BYTES, checkIntervalMs: CHECK_INTERVAL_MS },
): () => Promise<void> {
  let checkedAtMs = performance.now();
  return async () => {
    if (performance.now() - checkedAtMs < limits.checkIntervalMs) return;
    checkedAtMs = performance.now();
    if ((await sizeOf(`${file}-wal`)) <= limits.maxLogBytes) return;
    // A writer that is closed or lost says so to its own callers.
    const done = writer.run({}, CHECKPOINT).catch(() => undefined);
    await Promise.race([done, delay(PATIENCE_MS, undefined, { ref: false })]);
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
