// How groups and devices are written down in the audit.
import type { DeviceFields } from '../../../shared/protocol/api/devices.ts';
import type { AuditFields } from '../../store/audit/auditEntry.ts';
import { type DeviceReach, pathsOf } from './scope.ts';

/** The path of a group: its number says nothing to readers of the audit log. '' for none. */
export function groupPath(groups: DeviceReach['groups'], serialno: number | null | undefined): string {
  if (serialno === null || serialno === undefined) return '';
  return pathsOf(groups).get(serialno) ?? String(serialno);
}

export function auditFields(fields: DeviceFields, groups: DeviceReach['groups']): AuditFields {
  return { ...fields, group: groupPath(groups, fields.group) };
}
