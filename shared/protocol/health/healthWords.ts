// The words that describe a check of the installation: they are for programs, and pages translate them (healthTexts.ts).

/** What is checked, in the order in which it is shown. */
export const HEALTH_KINDS = [
  'ports',
  'certificate',
  'disks',
  'tables',
  'queues',
  'threads',
  'runtime',
  'backup',
] as const;
export type HealthKind = (typeof HEALTH_KINDS)[number];

/** `unknown`: it couldn't be found out, or not in time. */
export const HEALTH_STATES = ['ok', 'warning', 'problem', 'unknown'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** What a number is of. */
export const HEALTH_FIGURES = [
  'port',
  'last-port',
  'ports-taken',
  'days-left',
  'expires-at',
  'free',
  'total',
  'days-until-full',
  'rows',
  'size',
  'waiting',
  'oldest-age',
  'longest-pause',
  'release-line',
  'supported-until',
  'last-at',
  'tested-at',
] as const;
export type HealthFigure = (typeof HEALTH_FIGURES)[number];

/** `number`: a name, of which there is nothing to be counted. `time`: milliseconds since the epoch. `date`: the beginning of a day in UTC, likewise. */
export const HEALTH_UNITS = ['number', 'count', 'bytes', 'days', 'milliseconds', 'time', 'date'] as const;
export type HealthUnit = (typeof HEALTH_UNITS)[number];

/** Whether the number should be the limit at least, or at most. */
export const HEALTH_BOUNDS = ['least', 'most'] as const;
export type HealthBound = (typeof HEALTH_BOUNDS)[number];

/** What to do; '' where nothing is to be done. */
export const HEALTH_ADVICE = [
  '',
  'check-again',
  'free-port',
  'more-ports',
  'renew-certificate',
  'restart-for-certificate',
  'free-disk',
  'connect-disk',
  'plan-disk',
  'shorten-retention',
  'check-database',
  'check-senders',
  'check-devices',
  'check-sync',
  'check-reports',
  'check-machine',
  'renew-node',
  'run-backup',
  'test-backup',
  'check-copies',
  'move-backups',
] as const;
export type HealthAdvice = (typeof HEALTH_ADVICE)[number];
