// Audit log entries about orders. They never contain the message itself: texts are private, and parameters hold passwords.
import type { AuditEntry } from '../../store/audit/auditEntry.ts';
import type { DeviceOrder } from '../../store/devices/deviceOrderRows.ts';

interface RequestedOrder extends Pick<DeviceOrder, 'message' | 'reason' | 'reference'> {
  readonly deviceId: string;
  /**
   * The requester; undefined: the gateway itself, whose orders have an action of their own, since terminals can cause as many as
   * they like.
   */
  readonly by: { readonly username: string; readonly address: string } | undefined;
}

export function requestEntry(order: RequestedOrder, id: number): AuditEntry {
  const { deviceId: target, by } = order;
  const detail = detailOf({ ...order, id });
  if (by === undefined) return { actor: '', action: 'device.autocommand', target, detail };
  return { actor: by.username, action: 'device.command', target, address: by.address, detail };
}

/** The entry for an order that was not carried out. */
export function failureEntry(order: DeviceOrder & { readonly deviceId: string }): AuditEntry {
  const { requestedBy: actor, deviceId: target, state, result } = order;
  const outcome = { state, ...(result === undefined ? {} : { result }) };
  return { actor, action: 'device.commandfailed', target, detail: { ...detailOf(order), ...outcome } };
}

function detailOf({ id, message, reason, reference }: Pick<DeviceOrder, 'id' | 'message' | 'reason' | 'reference'>) {
  return { order: id, message, reason, ...(reference === undefined ? {} : { reference }) };
}
