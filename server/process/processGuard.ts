// Ends the process in order, on a signal or after an uncaught fault.
import { Counter, type Registry } from 'prom-client';
import type { OnFault } from '../faults/onFault.ts';
import type { Log } from './log.ts';

/** Longest orderly stop, within the ten seconds that Docker gives: then the process would be killed in the middle of a write. */
const STOP_LIMIT_MS = 9_000;
/** After a fault it has to be over within five seconds of the log line. */
const FAULT_STOP_LIMIT_MS = 4_500;

/** EX_SOFTWARE of sysexits.h. Used for nothing else, so that a service manager can tell a fault from a failed start. */
const EXIT_FAULT = 70;

export interface ProcessGuard {
  /** Sets what closes everything. From then on the process stops on SIGTERM, SIGINT and SIGHUP. */
  closeBy(close: () => Promise<void>): void;
  /** Runs when the process ends, in order or not. */
  atExit(run: () => void): void;
  /** Ends the process like an uncaught fault, when something is lost that it can't run without. */
  readonly end: OnFault;
}

interface Ending {
  readonly exitCode: number;
  readonly limitMs: number;
}

/**
 * After an uncaught exception the state of the program is unknown and continuing could do harm: pending data is written,
 * everything is closed and the process ends. Whatever supervises it starts it again.
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
    // Started before logging, so that the process ends even if the error can't be written.
    end({ exitCode: EXIT_FAULT, limitMs: FAULT_STOP_LIMIT_MS });
    log.fatal({ err: error, kind }, 'ended by a fault');
  };

  process.on('uncaughtException', (error, origin) => {
    endByFault(error, origin === 'unhandledRejection' ? 'rejection' : 'exception');
  });
  // The reader of the output has gone; the gateway continues.
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
    atExit: (run) => void process.once('exit', run),
    end: (error) => endByFault(error, 'lost'),
  };
}
