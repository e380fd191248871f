// What administrators do with device groups.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { GroupPlace } from '../../../shared/protocol/api/deviceGroups.ts';
import { groupNameFault } from '../../../shared/protocol/deviceRules.ts';
import { NO_GROUP } from '../../noGroup.ts';
import { type ActTrailDeps, createActTrail } from '../../records/actTrail.ts';
import type { Actor, ContentRefusal } from '../../records/recordActs.ts';
import type {
  DeviceTreeStore,
  GroupRemoved,
  TreeAnswer,
  TreeGroup,
  GroupPlace as TreePlace,
} from '../../store/devices/deviceTree.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import { branchOf, type DeviceReach, groupPath, reachOf } from '../reach.ts';

export type DeviceGroupRefusal =
  | ContentRefusal
  | { readonly kind: 'gone' }
  /** Undefined: by now it isn't there, or belongs to others. */
  | { readonly kind: 'conflict'; readonly current: TreeGroup | undefined }
  /** It has devices, and no group was named that they move to. */
  | { readonly kind: 'not-empty' };

export interface DeviceGroupActs {
  add(actor: Actor, place: GroupPlace): Promise<Outcome<TreeGroup, DeviceGroupRefusal>>;
  change(actor: Actor, named: RecordVersion, place: GroupPlace): Promise<Outcome<TreeGroup, DeviceGroupRefusal>>;
  /** Removes the groups beneath it as well, and gives the devices that have moved. */
  remove(
    actor: Actor,
    named: RecordVersion,
    moveTo: number | undefined,
  ): Promise<Outcome<readonly string[], DeviceGroupRefusal>>;
}

export interface DeviceGroupActsDeps extends ActTrailDeps {
  readonly store: Pick<DeviceTreeStore, 'visible' | 'add' | 'change' | 'remove'>;
}

export function createDeviceGroupActs({ store, ...trail }: DeviceGroupActsDeps): DeviceGroupActs {
  const leaveTrail = createActTrail(['device', 'group'], trail);
  const reach = ({ memberGroup }: Actor) => reachOf(store, memberGroup);
  const refused = async (
    { reason }: Extract<TreeAnswer | GroupRemoved, { ok: false }>,
    actor: Actor,
    id?: number,
  ): Promise<Refused> => {
    if (reason !== 'conflict') return { ok: false, reason: REFUSALS[reason] };
    const { groups } = await reach(actor);
    return { ok: false, reason: { kind: 'conflict', current: groups.find(({ serialno }) => serialno === id) } };
  };
  return {
    add: async (actor, given) => {
      const reached = await reach(actor);
      const place = placeOf(given, reached);
      if (!place.ok) return place;
      const { memberGroup } = actor;
      const added = await store.add(place.value, memberGroup === NO_GROUP ? undefined : memberGroup);
      if (!added.ok) return refused(added, actor);
      const { group } = added;
      await leaveTrail(actor, { action: 'devicegroup.add', target: group.name, after: auditFields(group, reached) });
      return { ok: true, value: group };
    },
    change: async (actor, { id, version }, given) => {
      const reached = await reach(actor);
      const before = reached.groups.find(({ serialno }) => serialno === id);
      if (before === undefined) return GONE;
      const place = placeOf(keepingHiddenParent(given, before, reached), reached, before.parent);
      if (!place.ok) return place;
      const changed = await store.change({ serialno: id, version }, place.value);
      if (!changed.ok) return refused(changed, actor, id);
      const sides = { before: auditFields(before, reached), after: auditFields(changed.group, reached) };
      await leaveTrail(actor, { action: 'devicegroup.change', target: before.name, ...sides });
      return { ok: true, value: changed.group };
    },
    remove: async (actor, { id, version }, moveTo) => {
      const reached = await reach(actor);
      const { groups, ids } = reached;
      const group = groups.find(({ serialno }) => serialno === id);
      if (group === undefined) return GONE;
      const branch = branchOf(groups, id);
      if (moveTo !== undefined && (!ids.has(moveTo) || branch.includes(moveTo)))
        return refusedField('moveto', 'unknown');
      const removed = await store.remove(branch, { serialno: id, version, moveTo, atMs: trail.now() });
      if (!removed.ok) return refused(removed, actor, id);
      const { moved } = removed;
      const pathOf = (each: number | undefined) => groupPath(groups, each);
      const detail = { groups: branch.map(pathOf), moveTo: pathOf(moveTo), devices: moved };
      const before = auditFields(group, reached);
      await leaveTrail(actor, { action: 'devicegroup.remove', target: group.name, before, detail });
      return { ok: true, value: moved };
    },
  };
}

type Refused = Extract<Outcome<never, DeviceGroupRefusal>, { ok: false }>;

const GONE: Refused = { ok: false, reason: { kind: 'gone' } };

const REFUSALS: Readonly<
  Record<Exclude<Extract<TreeAnswer | GroupRemoved, { ok: false }>['reason'], 'conflict'>, DeviceGroupRefusal>
> = {
  gone: { kind: 'gone' },
  'not-empty': { kind: 'not-empty' },
  'name-taken': { kind: 'fields', fields: { name: 'taken' } },
  cycle: { kind: 'fields', fields: { parent: 'not-allowed' } },
  'no-parent': { kind: 'fields', fields: { parent: 'unknown' } },
};

function refusedField(field: string, code: string): Refused {
  return { ok: false, reason: { kind: 'fields', fields: { [field]: code } } };
}

function placeOf(
  given: GroupPlace,
  { ids }: DeviceReach,
  presentParent?: number,
): Outcome<TreePlace, DeviceGroupRefusal> {
  const name = given.name.trim();
  const fault = groupNameFault(name);
  if (fault !== undefined) return refusedField('name', fault);
  const { parent } = given;
  if (parent !== null && parent !== presentParent && !ids.has(parent)) return refusedField('parent', 'unknown');
  return {
    ok: true,
    value: { name, parent: parent ?? undefined, before: given.before ?? undefined, among: [...ids] },
  };
}

/** For the member it is at the top; renaming must not take it out of the group where other readers see it. */
function keepingHiddenParent(given: GroupPlace, { parent }: TreeGroup, { ids }: DeviceReach): GroupPlace {
  const isHidden = parent !== undefined && !ids.has(parent);
  return isHidden && given.parent === null && given.before === undefined ? { ...given, parent } : given;
}

function auditFields({ name, parent }: TreeGroup, { groups }: DeviceReach): AuditFields {
  return { name, parent: groupPath(groups, parent) };
}
