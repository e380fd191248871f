// Every change here is in the audit, with what was before and what is now.
import type { FastifyRequest } from 'fastify';
import type { DeviceFields } from '../../../shared/protocol/api/devices.ts';
import type { AuditEntry } from '../../store/audit/auditEntry.ts';
import { callerOf } from '../kernel/caller.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { type CallerScope, pathsOf } from './scope.ts';

export type AuditedChange = Required<Pick<AuditEntry, 'action' | 'target'>> &
  Pick<AuditEntry, 'before' | 'after' | 'detail'>;

export async function recordAudit(
  { stores, now }: Pick<DeviceGroupDeps, 'stores' | 'now'>,
  request: FastifyRequest,
  change: AuditedChange,
): Promise<void> {
  const { user } = callerOf(request);
  await stores.audit.add({ actor: user.username, address: request.ip, ...change }, now());
}

/** Where a group lies when it is written down: its number says nothing to who reads the audit. '' for none. */
export function groupPath(groups: CallerScope['groups'], serialno: number | null | undefined): string {
  if (serialno === null || serialno === undefined) return '';
  return pathsOf(groups).get(serialno) ?? String(serialno);
}

/** A device's fields as they are written down. */
export function auditFields(fields: DeviceFields, groups: CallerScope['groups']): Fields {
  return { ...fields, group: groupPath(groups, fields.group) };
}

type Fields = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly before: Fields;
  readonly after: Fields;
}

/** The fields that differ, as they were and as they are. */
export function difference(before: object, after: object): Difference {
  const was = before as Fields;
  const is = after as Fields;
  const names = Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const pick = (from: Fields): Fields => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: pick(was), after: pick(is) };
}
