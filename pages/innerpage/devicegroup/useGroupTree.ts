import { getGroupTree } from '../../../shared/api/devices/deviceGroup.ts';
import type { GroupTree } from '../../../shared/protocol/api/deviceGroups.ts';
import { type LoadedRecord, useRecord } from '../../../shared/ui/records/useRecord.ts';

/** The tree of groups, read again when anybody has changed a group or a device. */
export function useGroupTree(): LoadedRecord<GroupTree> {
  return useRecord({ key: ['group-tree'], load: getGroupTree, changedBy: ['group', 'device'] });
}
