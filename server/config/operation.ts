// What the gateway says of itself to those who run it.
import { integer, oneOf, optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const operationVariables = {
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    preset: '',
    parser: optional(textOf('at least 16 letters, digits, - or _', /^[\w-]{16,256}$/)),
    about: 'Bearer token for /metrics. Unset: /metrics is off.',
    secret: true,
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    preset: 'info',
    parser: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    about: 'Lowest level to log, as JSON lines on standard error.',
  }),
  backgroundNiceness: variable({
    name: 'BACKGROUND_NICENESS',
    preset: '19',
    parser: integer(0, 19),
    about: 'How far reports, backups and data sync give way to other work on Linux. 19: to every program. 0: to none.',
  }),
};
