// The gateway's log: one JSON object a line on standard error, since standard output carries the ready line alone.
import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';

export type Log = FastifyBaseLogger;

/** Fields whose values never reach the log, should anyone log an object that has them. The first guard is not to. */
const SECRET_FIELDS = ['password', 'credential', 'sid', 'cookie', 'authorization', 'secret', 'token'];

export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({ level, base: null, redact: { paths, censor: '[secret]' } }, destination);
}
