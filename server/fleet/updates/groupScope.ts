// Which device groups a member group owns, as of now.
import { NO_GROUP } from '../../noGroup.ts';
import type { GroupScope } from './topicSource.ts';

/** The device groups that a member group owns now. */
export type DeviceGroupsOf = (memberGroup: number) => Promise<readonly number[]>;

export async function readScope(memberGroup: number | undefined, deviceGroupsOf: DeviceGroupsOf): Promise<GroupScope> {
  const group = memberGroup ?? NO_GROUP;
  const owned = group === NO_GROUP ? [] : await deviceGroupsOf(group);
  return { memberGroup: group, deviceGroups: new Set(owned) };
}

export function isSameScope(one: GroupScope, other: GroupScope): boolean {
  return (
    one.memberGroup === other.memberGroup &&
    one.deviceGroups.size === other.deviceGroups.size &&
    [...one.deviceGroups].every((group) => other.deviceGroups.has(group))
  );
}
