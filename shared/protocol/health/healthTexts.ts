// English names, and the keys of their translations (HealthWords.json).
import type { HealthAdvice, HealthFigure, HealthKind, HealthState } from './healthWords.ts';

export const HEALTH_KIND_NAMES: Readonly<Record<HealthKind, string>> = {
  ports: 'Ports',
  certificate: 'Certificate',
  disks: 'Disks',
  tables: 'Tables',
  queues: 'Queues',
  threads: 'Threads',
  runtime: 'Node.js version',
  backup: 'Backup',
};

export const HEALTH_STATE_NAMES: Readonly<Record<HealthState, string>> = {
  ok: 'OK',
  warning: 'Warning',
  problem: 'Problem',
  unknown: 'Unknown',
};

export const HEALTH_FIGURE_NAMES: Readonly<Record<HealthFigure, string>> = {
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
  'oldest-age': 'Oldest waits for',
  'longest-pause': 'Longest pause in the last hour',
  'release-line': 'In use',
  'supported-until': 'Security fixes until',
  'last-at': 'Last backup',
  'tested-at': 'Last test',
};

/** Subjects that are no names of tables. */
export const HEALTH_SUBJECT_NAMES: Readonly<Record<string, string>> = {
  web: 'Pages and API',
  redirect: 'Redirect to HTTPS',
  jt808: 'Terminals (JT/T 808)',
  'jt1078-main': 'Main stream (JT/T 1078)',
  'jt1078-sub': 'Sub stream (JT/T 1078)',
  'jt1078-playback': 'Playback (JT/T 1078)',
  'jt1078-talk': 'Talk (JT/T 1078)',
  attachments: 'Files of alarms',
  ftp: 'File transfer (FTP)',
  'ftp-passive': 'Data connections of FTP',
  data: 'Data',
  recordings: 'Recordings',
  reports: 'Reports',
  backups: 'Backups',
  positions: 'Positions',
  events: 'Events',
  messages: 'Notifications',
  commands: 'Commands',
  sync: 'Data sync',
  main: 'Main thread',
  'database-writer': 'Database, writing',
  'database-reader': 'Database, reading',
  tracks: 'Tracks',
  'report-results': 'Report results',
};

export const HEALTH_ADVICE_TEXTS: Readonly<Record<Exclude<HealthAdvice, ''>, string>> = {
  'check-again': "It couldn't be checked in time. Check again in a moment.",
  'free-port': 'Look in the log for why the port has closed, and restart the server.',
  'more-ports': 'Set a larger range in FTP_PASSIVE_PORTS.',
  'renew-certificate': 'Replace the certificate files, and restart the server.',
  'restart-for-certificate': 'Restart the server. It then creates a new certificate.',
  'free-disk': 'Free space on the disk, or use a larger one.',
  'connect-disk': 'Connect the disk again, and check its access rights.',
  'plan-disk': 'The disk will be full soon. Plan for a larger one, or keep data for fewer days.',
  'shorten-retention': 'Keep data for fewer days, or use PostgreSQL.',
  'check-database': 'Check whether the database and its disk are slow.',
  'check-senders': 'Check the senders on Sender.',
  'check-devices': 'Check why so many commands wait for their devices.',
  'check-sync': 'Check the rules on Data Sync.',
  'check-reports': 'Cancel reports that are not needed, or plan them at other times.',
  'check-machine': 'Check what else runs on this machine, and whether its disk is slow.',
  'renew-node': 'This version of Node.js no longer gets security fixes. Install a newer one, and restart the server.',
  'run-backup': 'Run a backup, and check its folder.',
  'test-backup': 'Test the backup.',
  'check-copies': 'Check the bucket for copies of backups, and its access key.',
  'move-backups':
    'Backups are on the same disk as the data. Set BACKUP_DIR to a folder on another disk, or copy them to a bucket.',
};

export const HEALTH_TEXTS: readonly string[] = [
  ...Object.values(HEALTH_KIND_NAMES),
  ...Object.values(HEALTH_STATE_NAMES),
  ...Object.values(HEALTH_FIGURE_NAMES),
  ...Object.values(HEALTH_SUBJECT_NAMES),
  ...Object.values(HEALTH_ADVICE_TEXTS),
];
