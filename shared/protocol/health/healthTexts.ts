// The words of health checks in English, which are the keys of their translations (Health.json).
import type { HealthAdvice, HealthFigure, HealthKind, HealthState } from './healthWords.ts';

export const HEALTH_KIND_NAMES = {
  ports: 'Ports',
  certificate: 'Certificate',
  disks: 'Disks',
  tables: 'Database tables',
  queues: 'Queues',
  threads: 'Threads',
  backup: 'Backup',
} as const satisfies Record<HealthKind, string>;

export const HEALTH_STATE_NAMES = {
  ok: 'OK',
  warning: 'Warning',
  problem: 'Problem',
  unknown: 'Unknown',
} as const satisfies Record<HealthState, string>;

export const HEALTH_FIGURE_NAMES = {
  port: 'Port',
  'last-port': 'Last port',
  'ports-taken': 'Ports in use',
  'days-left': 'Days left',
  'expires-at': 'Expires',
  free: 'Free',
  total: 'Total',
  'days-until-full': 'Days until full',
  rows: 'Rows',
  size: 'Size',
  waiting: 'Waiting',
  'oldest-age': 'Oldest',
  'longest-pause': 'Longest pause in the last hour',
  'last-at': 'Last backup',
  'tested-at': 'Last test',
} as const satisfies Record<HealthFigure, string>;

export const HEALTH_ADVICE_TEXTS = {
  '': '',
  'check-again': "This couldn't be checked. Check again later, and look at the server log.",
  'free-port':
    'Nothing listens here. Another program may use the port: stop it or set another port, then restart the server.',
  'more-ports': 'Most of these ports are in use. Set a larger range.',
  'renew-certificate': 'Renew the certificate before it expires.',
  'restart-for-certificate': 'Restart the server. It then makes a new certificate.',
  'free-disk': 'Delete what is not needed from this disk, or use a larger one.',
  'connect-disk': 'Connect the disk, or correct its folder in the configuration.',
  'plan-disk': 'Plan a larger disk, or keep less.',
  'shorten-retention': 'Keep positions and events for fewer days, or use PostgreSQL.',
  'check-database': "The database can't keep up. Check its disk and the load of the server.",
  'check-senders': 'Check the senders of notifications.',
  'check-devices': 'Many commands wait for devices that are offline.',
  'check-sync': 'Check the rules of data sync.',
  'check-reports': 'Reports take long. Check which of them are scheduled.',
  'check-machine': 'The server is overloaded. Check its processor and disk.',
  'run-backup': 'Back up now, and check why the last backup is late.',
  'test-backup': 'Test the last backup.',
} as const satisfies Record<HealthAdvice, string>;

/** What is checked, by the names that the gateway gives; a table is called as the database calls it. */
export const HEALTH_SUBJECT_NAMES: Readonly<Record<string, string>> = {
  'ports/web': 'Web',
  'ports/redirect': 'Redirect to HTTPS',
  'ports/jt808': 'JT/T 808 (signaling)',
  'ports/jt1078-main': 'JT/T 1078, main stream',
  'ports/jt1078-sub': 'JT/T 1078, sub stream',
  'ports/jt1078-playback': 'JT/T 1078, playback',
  'ports/jt1078-talk': 'JT/T 1078, talk',
  'ports/attachments': 'Alarm files',
  'ports/ftp': 'File transfer',
  'ports/ftp-passive': 'File transfer, data connections',
  'disks/data': 'Data folder',
  'disks/recordings': 'Recordings',
  'disks/reports': 'Reports',
  'queues/positions': 'Positions',
  'queues/events': 'Events',
  'queues/messages': 'Notifications',
  'queues/commands': 'Commands to devices',
  'queues/sync': 'Data sync',
  'queues/reports': 'Reports',
  'threads/main': 'Main thread',
  'threads/database-writer': 'Database, writing',
  'threads/database-reader': 'Database, reading',
  'threads/tracks': 'Tracks',
  'threads/report-results': 'Reports',
};

const ALL = [HEALTH_KIND_NAMES, HEALTH_STATE_NAMES, HEALTH_FIGURE_NAMES, HEALTH_ADVICE_TEXTS, HEALTH_SUBJECT_NAMES];
export const HEALTH_TEXTS: readonly string[] = [
  ...new Set(ALL.flatMap((words) => Object.values<string>(words))),
].filter((text) => text !== '');
