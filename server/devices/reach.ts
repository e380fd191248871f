// The groups and devices that a member sees: those of the member group, and unassigned ones, which only an administrator can bring back
// into a member group.
import type { DeviceScope } from '../store/devices/devicePage.ts';
import type { DeviceRecord } from '../store/devices/deviceRecordRows.ts';
import type { DeviceTreeStore, TreeGroup } from '../store/devices/deviceTree.ts';

export interface DeviceReach {
  readonly groups: readonly TreeGroup[];
  readonly ids: ReadonlySet<number>;
  readonly devices: DeviceScope;
}

/** `memberGroup`: undefined or NO_GROUP for a member who belongs to none. */
export async function reachOf(
  deviceTree: Pick<DeviceTreeStore, 'visible'>,
  memberGroup: number | undefined,
): Promise<DeviceReach> {
  const groups = await deviceTree.visible(memberGroup);
  const numbers = groups.map(({ serialno }) => serialno);
  return { groups, ids: new Set(numbers), devices: { groups: numbers, ungrouped: true } };
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

/** The path of a group: its number says nothing to readers of the audit log. '' for none. */
export function groupPath(groups: readonly TreeGroup[], serialno: number | null | undefined): string {
  if (serialno === null || serialno === undefined) return '';
  return pathsOf(groups).get(serialno) ?? String(serialno);
}
