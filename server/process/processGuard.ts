// How the process ends: in order, on a signal or after a fault that nobody caught.
import { Counter, type Registry } from 'prom-client';
import type { OnFault } from '../faults/onFault.ts';
import type { Log } from './log.ts';

/** A stop that takes longer is cut off: whoever stops us would otherwise kill us in the middle of a write. */
const STOP_LIMIT_MS = 5_000;
/** The same after a fault, which is to be over within five seconds from its log line on. */
const FAULT_STOP_LIMIT_MS = 4_500;

/** EX_SOFTWARE of sysexits.h. No other end has it, so that a service manager can tell a fault from a start that failed. */
const EXIT_FAULT = 70;

export interface ProcessGuard {
  /** What closes everything. From here on the process stops on SIGTERM, SIGINT and SIGHUP. */
  closeBy(close: () => Promise<void>): void;
  /** Something is lost that the process cannot go on without: ends it as a fault that nobody caught does. */
  readonly end: OnFault;
}

interface Ending {
  readonly exitCode: number;
  readonly limitMs: number;
}

/**
 * After an exception that nobody caught the state of the program is unknown, and going on could do harm: what is held is
 * written and closed, and the process ends. Whoever runs it starts it again.
 */
export function guardProcess(log: Log, metrics: Registry): ProcessGuard {
  const uncaught = new Counter({
    name: 'fleetglass_uncaught_total',
    help: 'Exceptions and rejections that nobody caught; the process ends after the first, in order',
    labelNames: ['kind'] as const,
    registers: [metrics],
  });
  let close: (() => Promise<void>) | undefined;
  let isEnding = false;
  let exitCode = 0;

  const end = (ending: Ending): void => {
    exitCode = Math.max(exitCode, ending.exitCode);
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      log.error('the stop took too long');
      process.exit(Math.max(exitCode, 1));
    }, ending.limitMs).unref();
    (close?.() ?? Promise.resolve()).then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(Math.max(exitCode, 1));
      },
    );
  };
  const endByFault = (error: unknown, kind: string): void => {
    uncaught.inc({ kind });
    // First what ends the process: an error that cannot be written down ends it all the same.
    end({ exitCode: EXIT_FAULT, limitMs: FAULT_STOP_LIMIT_MS });
    log.fatal({ err: error, kind }, 'ended by a fault');
  };

  process.on('uncaughtException', (error, origin) => {
    endByFault(error, origin === 'unhandledRejection' ? 'rejection' : 'exception');
  });
  // Whoever read our output has gone; the gateway goes on.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  return {
    closeBy: (closeAll) => {
      close = closeAll;
      // SIGHUP: the terminal that it was started in was closed.
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.on(signal, () => {
          log.info({ signal }, 'stopping');
          end({ exitCode: 0, limitMs: STOP_LIMIT_MS });
        });
      }
    },
    end: (error) => endByFault(error, 'lost'),
  };
}
