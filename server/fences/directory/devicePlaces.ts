// Which fences cover which devices: a device group's owners, and the groups above it.
import type { FencePlaces } from '../../store/fences/fencePlaces.ts';
import type { PreparedFence } from './preparedFence.ts';

export interface DevicePlace {
  readonly deviceId: string;
  readonly name: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  readonly group: GroupPlace;
}

/** Shared by the devices of a group. */
interface GroupPlace {
  /** Member groups that own it. */
  readonly owners: ReadonlySet<number>;
  /** With the groups above it. */
  readonly groups: ReadonlySet<number>;
}

type Covering = Pick<PreparedFence, 'memberGroup' | 'deviceGroups' | 'devices'>;

export function covers({ memberGroup, deviceGroups, devices }: Covering, { deviceId, group }: DevicePlace): boolean {
  if (!group.owners.has(memberGroup)) return false;
  if (deviceGroups.length === 0 && devices.size === 0) return true;
  return devices.has(deviceId) || deviceGroups.some((each) => group.groups.has(each));
}

/** By incarnation. Devices without a group have no owner, and no fence. */
export function devicePlacesOf({ devices, parents, owners }: FencePlaces): ReadonlyMap<number, DevicePlace> {
  const groups = new Map<number, GroupPlace>();
  const groupPlace = (group: number): GroupPlace => {
    const known = groups.get(group);
    if (known !== undefined) return known;
    const place = { owners: owners.get(group) ?? NOBODY, groups: groupsAbove(group, parents) };
    groups.set(group, place);
    return place;
  };
  return new Map(
    devices.map(({ deviceGroup, ...device }) => [
      device.incarnation,
      { ...device, group: deviceGroup === undefined ? NOWHERE : groupPlace(deviceGroup) },
    ]),
  );
}

const NOBODY: ReadonlySet<number> = new Set();
const NOWHERE: GroupPlace = { owners: NOBODY, groups: NOBODY };

function groupsAbove(group: number, parents: FencePlaces['parents']): ReadonlySet<number> {
  const above = new Set<number>();
  for (let at: number | undefined = group; at !== undefined && !above.has(at); at = parents.get(at)) above.add(at);
  return above;
}
