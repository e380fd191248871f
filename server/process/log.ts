// The gateway's log: one JSON object a line on standard error, since standard output carries the ready line alone.
import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { type LogOutput, openLogOutput } from '../faults/logOutput.ts';
import { LogRing } from './logRing.ts';

export type Log = FastifyBaseLogger;

/** Fields whose values are removed, in case an object with them is logged. Code shouldn't log them in the first place. */
const SECRET_FIELDS = ['password', 'credential', 'sid', 'cookie', 'authorization', 'secret', 'token'];

const STANDARD_ERROR = 2;

export interface ProcessLog {
  readonly log: Log;
  /** Its newest lines, secrets removed as in the output. */
  readonly recent: Pick<LogRing, 'read'>;
}

/** The log of a gateway's process, with a metric of the lines that nobody took. */
export function createProcessLog(level: string, metrics: Registry): ProcessLog {
  const output = openLogOutput(STANDARD_ERROR);
  countLostLines(output, metrics);
  const recent = new LogRing();
  return { log: createLog(level, withRing(recent, output)), recent };
}

/** The ring goes first: what standard error doesn't take is kept too. */
export function withRing(ring: Pick<LogRing, 'write'>, output: DestinationStream): DestinationStream {
  return {
    write: (line) => {
      ring.write(line);
      output.write(line);
    },
  };
}

function countLostLines(output: LogOutput, metrics: Registry): void {
  new Counter({
    name: 'fleetglass_log_lines_lost_total',
    help: 'Lines of the log that standard error did not take',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(output.lostLines);
    },
  });
}

export function createLog(level: string, destination: DestinationStream = openLogOutput(STANDARD_ERROR)): Log {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({ level, base: null, redact: { paths, censor: '[secret]' } }, destination);
}
