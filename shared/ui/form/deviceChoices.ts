// Devices and device groups to select from.
import { useMemo } from 'react';
import type { ApiResult } from '../../api/client.ts';
import { getGroupTree } from '../../api/devices/deviceGroup.ts';
import { deviceOption, groupOption, optionsOf } from '../../live/fleetOptions.ts';
import { useLiveFleet } from '../../live/pageLive.ts';
import type { GroupTree } from '../../protocol/api/deviceGroups.ts';
import { Permission } from '../../protocol/permissions.ts';
import { useRecord } from '../records/useRecord.ts';
import { useSession } from '../session.ts';
import { groupOptions } from '../table/groupOptions.ts';
import type { Option } from './SelectInput.tsx';

export interface DeviceChoices {
  readonly devices: readonly Option<string>[];
  readonly groups: readonly Option<string>[];
}

const NO_TREE: Promise<ApiResult<GroupTree | undefined>> = Promise.resolve({ ok: true, value: undefined });

export function useDeviceChoices(): DeviceChoices {
  const { devices } = useLiveFleet();
  const tree = useTree();
  const names = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const groups = useMemo(
    () => (tree === undefined ? optionsOf(devices.values(), groupOption) : groupOptions(tree.groups)),
    [devices, tree],
  );
  return useMemo(() => ({ devices: names, groups }), [names, groups]);
}

/** Undefined for who may not list groups: they choose among those that their devices are in. */
function useTree(): GroupTree | undefined {
  const session = useSession();
  const mayList = session.kind === 'signed-in' && session.status.permission.includes(Permission.DeviceGroup);
  const { value } = useRecord<GroupTree | undefined>({
    key: ['group-tree', mayList],
    load: (signal) => (mayList ? getGroupTree(signal) : NO_TREE),
    changedBy: ['group'],
  });
  return value;
}
