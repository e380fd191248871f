// Which devices a rule covers. Pure.
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';
import type { SyncDevice, SyncPlaces } from '../../store/sync/syncSources.ts';

export type Groups = Pick<SyncPlaces, 'parents' | 'owners'>;
type RuleReach = Pick<StoredSyncRule, 'memberGroup'> & {
  readonly content: Pick<StoredSyncRule['content'], 'devices' | 'deviceGroups'>;
};
type PlacedDevice = Pick<SyncDevice, 'deviceId' | 'deviceGroup' | 'disabled'>;

/** Whether the member group has the device, which may have moved since its recordings were requested. */
export function ownsDevice(memberGroup: number, { deviceGroup, disabled }: PlacedDevice, { owners }: Groups): boolean {
  return !disabled && deviceGroup !== undefined && owners.get(deviceGroup)?.has(memberGroup) === true;
}

/** A rule names devices, groups including the groups inside them, or neither: then it covers all devices of its member group. */
export function coversDevice({ memberGroup, content }: RuleReach, device: PlacedDevice, groups: Groups): boolean {
  if (!ownsDevice(memberGroup, device, groups)) return false;
  const { devices, deviceGroups } = content;
  if (devices.length === 0 && deviceGroups.length === 0) return true;
  return devices.includes(device.deviceId) || liesIn(device.deviceGroup, deviceGroups, groups.parents);
}

function liesIn(
  deviceGroup: number | undefined,
  chosen: readonly number[],
  parents: ReadonlyMap<number, number | undefined>,
): boolean {
  const passed = new Set<number>();
  for (let group = deviceGroup; group !== undefined && !passed.has(group); group = parents.get(group)) {
    if (chosen.includes(group)) return true;
    passed.add(group);
  }
  return false;
}
