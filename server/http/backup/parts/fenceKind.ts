// Fences of a backup: those of the caller's member group.
import { FENCES_PATH, type FenceContent } from '../../../../shared/protocol/api/fences/fences.ts';
import { faultsOfShape } from '../../../../shared/protocol/fences/geometryFaults.ts';
import { groupPaths, groupReference } from './deviceKinds.ts';
import { faultOf, nameKey, type PartKind } from './partRecords.ts';
import { saved, textsOf } from './savedCall.ts';

export const fenceKind: PartKind = {
  record: 'fence',
  part: 'fences',
  read: async (stores, memberGroup) => {
    const [fences, paths] = await Promise.all([stores.fences.all(), groupPaths(stores)]);
    return fences.map(({ id, version, content, memberGroup: owner }) => ({
      ...{ key: nameKey(content.name), name: content.name, id, version, isReached: owner === memberGroup },
      fields: {
        ...content,
        deviceGroups: content.deviceGroups.map((group) => paths.get(group) ?? '').sort(),
        devices: [...content.devices].sort(),
      },
    }));
  },
  references: ({ deviceGroups, devices }) => [
    ...textsOf(deviceGroups).flatMap((path) => groupReference('deviceGroups', path)),
    ...textsOf(devices).map((id) => ({ ...{ field: 'devices', record: 'device' as const, key: id, name: id } })),
  ],
  judge:
    () =>
    ({ fields }) => {
      const [fault] = faultsOfShape(fields as unknown as FenceContent);
      return fault === undefined ? [] : [faultOf('geometry', fault)];
    },
  call: ({ fields, present }, ids) => {
    const deviceGroups = textsOf(fields.deviceGroups).map((path) => ids('device-group', path));
    return saved(FENCES_PATH, { ...fields, deviceGroups }, present);
  },
};
