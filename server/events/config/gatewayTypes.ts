import type { BuiltInCode } from '../../../shared/protocol/events/builtInTypes.ts';

/** Of the gateway itself: no device or group can have its own settings of these, and there is nothing to record or to say. */
const GATEWAY_TYPES: ReadonlySet<string> = new Set([
  'gateway-started',
  'disk-full',
  'disk-missing',
  'disk-failing',
  'unknown-terminal',
  'license-expiring',
  'license-expired',
  'sender-failing',
  'firmware-task-stopped',
  'port-closed',
  'certificate-expiring',
  'server-disk-problem',
  'database-too-large',
  'processing-delayed',
  'server-overloaded',
  'backup-problem',
] satisfies BuiltInCode[]);

export function isOfGateway(type: string): boolean {
  return GATEWAY_TYPES.has(type);
}
