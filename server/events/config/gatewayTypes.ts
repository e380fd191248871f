import type { BuiltInCode } from '../../../shared/protocol/events/builtInTypes.ts';

/** Types about the gateway itself: devices and groups can't have their own settings of them, and there is nothing to record or to say. */
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
