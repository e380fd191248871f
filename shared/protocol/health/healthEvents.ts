import type { BuiltInCode } from '../events/builtInTypes.ts';
import type { HealthKind } from './healthWords.ts';

/** What a problem that lasts begins: one type for all checks of a kind. `runtime` only warns: nothing has broken that somebody must mend at once. */
export const HEALTH_EVENTS = {
  ports: 'port-closed',
  certificate: 'certificate-expiring',
  disks: 'server-disk-problem',
  tables: 'database-too-large',
  queues: 'processing-delayed',
  threads: 'server-overloaded',
  backup: 'backup-problem',
} as const satisfies Record<Exclude<HealthKind, 'runtime'>, BuiltInCode>;

/** Of what whoever runs the installation has to know: the types of the rule that comes ready-made. */
export const SERVER_PROBLEMS: readonly BuiltInCode[] = [
  ...Object.values(HEALTH_EVENTS),
  'disk-full',
  'disk-missing',
  'disk-failing',
  'sender-failing',
  'license-expired',
];
