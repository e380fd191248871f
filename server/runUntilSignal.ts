import type { Log } from './log.ts';

/** A stop that takes longer is cut off: whoever stops us would otherwise kill us in the middle of a write. */
const STOP_LIMIT_MS = 5_000;

/** Stops in an orderly way on the first SIGTERM or SIGINT and ends the process. */
export function runUntilSignal(log: Log, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('the stop took too long');
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
