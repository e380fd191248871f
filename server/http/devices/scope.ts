// Who may keep groups and devices, and which of them a caller sees.
import type { FastifyRequest } from 'fastify';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { type DeviceReach, reachOf } from '../../devices/reach.ts';
import type { Stores } from '../../store/stores.ts';
import type { PermissionsAccess } from '../kernel/access.ts';
import { callerOf } from '../kernel/caller.ts';

/** The access of every administrator's page: `system` and the page's own permission. */
export const ACCESS: PermissionsAccess = { kind: 'permissions', all: [Permission.System, Permission.DeviceGroup] };
export const ROUTE_CONFIG = { access: ACCESS };
/** For calls of use cases, which tell of their changes themselves. */
export const ACT_CONFIG = { access: ACCESS, changes: [] };

export const NO_GROUP = {
  status: 404,
  code: 'no-such-devicegroup',
  message: "Device group not found, or you don't have access to it.",
} as const;

/** The groups and devices that a caller reaches. */
export interface CallerReach extends DeviceReach {
  /** Member group of the session; undefined for a caller who belongs to none. */
  readonly memberGroup: { readonly serialno: number; readonly name: string } | undefined;
}

export async function deviceReachOf(
  { stores }: { readonly stores: Pick<Stores, 'deviceTree'> },
  request: FastifyRequest,
): Promise<CallerReach> {
  const { group } = callerOf(request);
  const memberGroup = group === undefined ? undefined : { serialno: group.serialno, name: group.name };
  return { memberGroup, ...(await reachOf(stores.deviceTree, group?.serialno)) };
}
