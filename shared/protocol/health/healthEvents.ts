import type { BuiltInCode } from '../events/builtInTypes.ts';
import type { HealthKind } from './healthWords.ts';

/**
 * The event type that a lasting problem begins: one for all checks of a kind. `runtime` only warns: nothing has broken that must be
 * fixed at once.
 */
export const HEALTH_EVENTS = {
  ports: 'port-closed',
  certificate: 'certificate-expiring',
  disks: 'server-disk-problem',
  tables: 'database-too-large',
  queues: 'processing-delayed',
  threads: 'server-overloaded',
  backup: 'backup-problem',
} as const satisfies Record<Exclude<HealthKind, 'runtime'>, BuiltInCode>;

/** The event types in the ready-made rule: what whoever runs the installation has to know. */
export const SERVER_PROBLEMS: readonly BuiltInCode[] = [
  ...Object.values(HEALTH_EVENTS),
  'disk-full',
  'disk-missing',
  'disk-failing',
  'sender-failing',
  'license-expired',
];
