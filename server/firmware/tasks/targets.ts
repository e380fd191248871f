// The devices that a task is for, and what becomes of each at its start. Pure.
import type { FirmwareTargets, FirmwareTaskContent } from '../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareFault } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { ReachedDevice } from '../../store/firmware/firmwareReach.ts';
import type { StartedDevice } from '../../store/firmware/firmwareTasks.ts';
import { faultOfFit, type ImageDemands } from '../rules/fitting.ts';
import { fitsPatternOrAny } from '../rules/patterns.ts';
import { stagesOf } from '../rules/stages.ts';

type Parents = ReadonlyMap<number, number | undefined>;
type Choice = Pick<FirmwareTargets, 'devices' | 'deviceGroups' | 'model' | 'installedVersion'>;

/** Without devices and groups: all of them. */
export function targetsOf(
  devices: readonly ReachedDevice[],
  parents: Parents,
  { devices: ids, deviceGroups, model, installedVersion }: Choice,
): readonly ReachedDevice[] {
  const [named, groups] = [new Set(ids), new Set(deviceGroups)];
  const isAll = named.size === 0 && groups.size === 0;
  return devices.filter(
    (device) =>
      (isAll || named.has(device.deviceId) || liesIn(groups, device.deviceGroup, parents)) &&
      fitsPatternOrAny(model, device.model) &&
      fitsPatternOrAny(installedVersion, device.firmwareVersion),
  );
}

function liesIn(groups: ReadonlySet<number>, deviceGroup: number, parents: Parents): boolean {
  const seen = new Set<number>();
  for (let at: number | undefined = deviceGroup; at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (groups.has(at)) return true;
    // Two moves at once may have put groups into each other.
    seen.add(at);
  }
  return false;
}

interface Unfitting {
  readonly fault: FirmwareFault;
  readonly devices: number;
}

export function reachOf(devices: readonly ReachedDevice[], image: ImageDemands) {
  const counts = new Map<FirmwareFault, number>();
  for (const device of devices) {
    const fault = faultOfFit(image, device);
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
  }
  const fitting = counts.get('') ?? 0;
  counts.delete('');
  const unfitting: Unfitting[] = [...counts].map(([fault, count]) => ({ fault, devices: count }));
  return { devices: devices.length, fitting, unfitting };
}

/** Some are named, and none of them is among the devices and takes the image. */
export function lacksCanaries(
  devices: readonly ReachedDevice[],
  image: ImageDemands,
  { canaries }: Pick<FirmwareTaskContent, 'canaries'>,
): boolean {
  const named = new Set(canaries);
  return named.size > 0 && !devices.some((device) => named.has(device.deviceId) && faultOfFit(image, device) === '');
}

/** What doesn't fit is skipped, and makes no stage larger. */
export function startedDevices(
  devices: readonly ReachedDevice[],
  image: ImageDemands,
  plan: Pick<FirmwareTaskContent, 'canaries' | 'stages'>,
): readonly StartedDevice[] {
  const faults = new Map(devices.map((device) => [device.deviceId, faultOfFit(image, device)]));
  const fitting = devices.map(({ deviceId }) => deviceId).filter((id) => faults.get(id) === '');
  const stages = stagesOf(fitting, plan);
  return devices.map(({ deviceId, incarnation, model, firmwareVersion }) => ({
    incarnation,
    stage: stages.get(deviceId) ?? 0,
    model,
    versionBefore: firmwareVersion,
    fault: faults.get(deviceId) ?? '',
  }));
}
