// The groups and devices that a caller sees here: those of the session's member group, and unassigned ones, which only an administrator
// can bring back into a member group.
import type { FastifyRequest } from 'fastify';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { DeviceScope } from '../../store/devices/devicePage.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { TreeGroup } from '../../store/devices/deviceTree.ts';
import type { Stores } from '../../store/stores.ts';
import type { PermissionsAccess } from '../kernel/access.ts';
import { callerOf } from '../kernel/caller.ts';

/** The access of every administrator's page: `system` and the page's own permission. */
export const ACCESS: PermissionsAccess = { kind: 'permissions', all: [Permission.System, Permission.DeviceGroup] };
export const ROUTE_CONFIG = { access: ACCESS };

export const NO_GROUP = {
  status: 404,
  code: 'no-such-devicegroup',
  message: "Device group not found, or you don't have access to it.",
} as const;

/** The groups and devices that a caller reaches. */
export interface DeviceReach {
  /** Member group of the session; undefined for a caller who belongs to none. */
  readonly memberGroup: { readonly serialno: number; readonly name: string } | undefined;
  readonly groups: readonly TreeGroup[];
  readonly ids: ReadonlySet<number>;
  readonly devices: DeviceScope;
}

export async function deviceReachOf(
  { stores }: { readonly stores: Pick<Stores, 'deviceTree'> },
  request: FastifyRequest,
): Promise<DeviceReach> {
  const { group } = callerOf(request);
  const groups = await stores.deviceTree.visible(group?.serialno);
  const numbers = groups.map(({ serialno }) => serialno);
  return {
    memberGroup: group === undefined ? undefined : { serialno: group.serialno, name: group.name },
    groups,
    ids: new Set(numbers),
    devices: { groups: numbers, ungrouped: true },
  };
}

export function canSee({ ids }: DeviceReach, { deviceGroup }: Pick<DeviceRecord, 'deviceGroup'>): boolean {
  return deviceGroup === undefined || ids.has(deviceGroup);
}

/** The group and all groups below it, as far as the caller sees them. */
export function branchOf(groups: readonly TreeGroup[], serialno: number): number[] {
  const branch = [serialno];
  for (const at of branch) branch.push(...groups.filter(({ parent }) => parent === at).map((group) => group.serialno));
  return branch;
}

/** The path of each group as it is written in a file: names from the top, separated by `/`. */
export function pathsOf(groups: readonly TreeGroup[]): ReadonlyMap<number, string> {
  const byId = new Map(groups.map((group) => [group.serialno, group]));
  const paths = new Map<number, string>();
  const pathOf = (group: TreeGroup): string => {
    const known = paths.get(group.serialno);
    if (known !== undefined) return known;
    const above = group.parent === undefined ? undefined : byId.get(group.parent);
    const name = group.name.replace(/[\\/]/g, '\\$&');
    const path = above === undefined ? name : `${pathOf(above)}/${name}`;
    paths.set(group.serialno, path);
    return path;
  };
  for (const group of groups) pathOf(group);
  return paths;
}
