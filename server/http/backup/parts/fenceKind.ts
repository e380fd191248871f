// Fences of a backup: those of the caller's member group.
import { FenceContent } from '../../../../shared/protocol/api/fences/fences.ts';
import { faultsOfShape } from '../../../../shared/protocol/fences/geometryFaults.ts';
import type { FenceRefusal } from '../../../fences/acts/fences.ts';
import { NO_GROUP } from '../../../noGroup.ts';
import type { StoredFence } from '../../../store/fences/fences.ts';
import type { Outcome } from '../../../store/outcome.ts';
import { refusalOfFence } from '../../fences/fenceDeps.ts';
import { Refused } from '../../kernel/envelope.ts';
import { groupPaths, groupReference } from './deviceKinds.ts';
import { faultOf, nameKey, type PartKind } from './partRecords.ts';
import { textsOf } from './savedCall.ts';
import { savedRecord } from './savedRecord.ts';

/** Whoever belongs to no group has no fences. */
const NO_MEMBER_GROUP = { ok: false, reason: { kind: 'no-member-group' } } as const;

type PartRefusal = FenceRefusal | { readonly kind: 'no-member-group' };

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
  save: ({ fields, present }, { actor, acts: { fences }, ids }) => {
    const deviceGroups = textsOf(fields.deviceGroups).map((path) => ids('device-group', path));
    return savedRecord(
      FenceContent,
      { ...fields, deviceGroups },
      async (content): Promise<Outcome<StoredFence, PartRefusal>> => {
        if (present !== undefined) {
          return fences.change(actor, { id: Number(present.id), version: present.version }, content);
        }
        return actor.memberGroup === NO_GROUP ? NO_MEMBER_GROUP : fences.add(actor, content);
      },
      (refused) => (refused.kind === 'no-member-group' ? Refused.noMemberGroup : refusalOfFence(refused)),
    );
  },
};
