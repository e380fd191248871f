// What members do with member groups.
import type { EditedGroup, GroupContent } from '../../../shared/protocol/api/accounts.ts';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { type Actor, refusalOfFields } from '../../records/recordActs.ts';
import type {
  MemberGroupEditingStore,
  ShiftRule,
  StoredGroupContent,
  GroupRefusal as StoreRefusal,
} from '../../store/accounts/memberGroupEditing.ts';
import type { DeviceGroupStore } from '../../store/devices/deviceGroups.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import { type Actor as MembershipActor, mayShiftDeviceGroups } from '../membershipRules.ts';
import { type AccountActsDeps, type AccountRefusal, findActing, noteAndTell } from './accountActs.ts';
import { deviceGroupNamesOf, namesOf } from './groupNames.ts';

export interface MemberGroupActsDeps extends AccountActsDeps {
  readonly memberGroupEditing: Pick<MemberGroupEditingStore, 'find' | 'insert' | 'update' | 'remove'>;
  readonly deviceGroups: Pick<DeviceGroupStore, 'list'>;
}

/** `left-over`: device groups of the removed group would have no owner, or none that the actor belongs to. */
export type MemberGroupRefusal = AccountRefusal<EditedGroup, 'left-over'>;

type Acted = Promise<Outcome<EditedGroup, MemberGroupRefusal>>;

export interface MemberGroupActs {
  add(actor: Actor, content: GroupContent): Acted;
  change(actor: Actor, named: RecordVersion, content: GroupContent): Acted;
  remove(actor: Actor, named: RecordVersion): Acted;
}

const NEEDED = [Permission.System, Permission.Member];

export function createMemberGroupActs(deps: MemberGroupActsDeps): MemberGroupActs {
  const { memberGroupEditing: groups } = deps;
  return {
    add: async (actor, given) => {
      const content = tidy(given);
      const acting = await findActing(actor, NEEDED, deps);
      if (!acting.ok) return acting;
      const refusal = refusalOfContent(content);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const added = await groups.insert(content);
      if (!added.ok) return { ok: false, reason: await refusalFor(0, added.reason, deps) };
      const after = auditFieldsOf(content, await deviceGroupNamesOf(deps));
      await noteAndTell(actor, { action: 'membergroup.add', target: content.name, after }, deps);
      return { ok: true, value: await getGroup(added.value, deps) };
    },
    change: async (actor, { id, version }, given) => {
      const content = tidy(given);
      const acting = await findActing(actor, NEEDED, deps);
      if (!acting.ok) return acting;
      const refusal = refusalOfContent(content);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const done = await groups.update({ serialno: id, version }, content, shiftRuleOf(acting.value));
      if (!done.ok) return { ok: false, reason: await refusalFor(id, done.reason, deps) };
      const names = await deviceGroupNamesOf(deps);
      const [before, after] = [auditFieldsOf(done.value, names), auditFieldsOf(content, names)];
      await noteAndTell(actor, { action: 'membergroup.change', target: done.value.name, before, after }, deps);
      return { ok: true, value: await getGroup(id, deps) };
    },
    remove: async (actor, { id, version }) => {
      const acting = await findActing(actor, NEEDED, deps);
      if (!acting.ok) return acting;
      const done = await groups.remove({ serialno: id, version }, shiftRuleOf(acting.value));
      if (!done.ok && done.reason === 'beyond-own') return { ok: false, reason: { kind: 'left-over' } };
      if (!done.ok) return { ok: false, reason: await refusalFor(id, done.reason, deps) };
      const before = auditFieldsOf(done.value, await deviceGroupNamesOf(deps));
      await noteAndTell(actor, { action: 'membergroup.remove', target: done.value.name, before }, deps);
      return done;
    },
  };
}

function tidy({ name, retentionDays, expiresAtMs, deviceGroups }: GroupContent): StoredGroupContent {
  const ordered = [...deviceGroups].sort((a, b) => a - b);
  return { name: name.trim(), retentionDays, expiresAtMs: wallMs(expiresAtMs), deviceGroups: ordered };
}

function refusalOfContent({ name }: StoredGroupContent) {
  return refusalOfFields(name === '' ? { name: 'required' } : {});
}

function shiftRuleOf(acting: MembershipActor): ShiftRule {
  return (shift) => mayShiftDeviceGroups(acting, shift);
}

/** `serialno`: the group that was to be changed; 0 for a new one. */
async function refusalFor(
  serialno: number,
  reason: StoreRefusal,
  { memberGroupEditing }: MemberGroupActsDeps,
): Promise<MemberGroupRefusal> {
  switch (reason) {
    case 'gone':
      return { kind: reason };
    case 'taken':
      return { kind: reason, field: 'name' };
    case 'no-device-group':
      return { kind: 'fields', fields: { deviceGroups: 'unknown' } };
    case 'beyond-own':
      return { kind: 'fields', fields: { deviceGroups: 'device-group-not-yours' } };
    case 'conflict': {
      const current = await memberGroupEditing.find(serialno);
      return current === undefined ? { kind: 'gone' } : { kind: reason, current };
    }
  }
}

/** The group as it is after it was changed. */
async function getGroup(serialno: number, { memberGroupEditing }: MemberGroupActsDeps): Promise<EditedGroup> {
  const group = await memberGroupEditing.find(serialno);
  if (group === undefined) throw new Error(`the member group ${serialno} is gone`);
  return group;
}

function auditFieldsOf(
  { name, retentionDays, expiresAtMs, deviceGroups }: GroupContent,
  names: ReadonlyMap<number, string>,
): AuditFields {
  return { name, retentionDays, expiresAtMs, deviceGroups: namesOf(deviceGroups, names) };
}
