// Roles, member groups and members of a backup. Passwords, second factors and sessions aren't imported: a new member gets an
// invitation that nobody has, until an administrator makes another one.
import { GroupContent, MemberContent, NewMember, RoleContent } from '../../../../shared/protocol/api/accounts.ts';
import type { PartFault } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { MemberRefusal } from '../../../auth/acts/members.ts';
import { holdsAll } from '../../../auth/membershipRules.ts';
import type { StoredMember } from '../../../store/accounts/members.ts';
import type { Outcome } from '../../../store/outcome.ts';
import { refusalOfAct } from '../../accounts/actRefusals.ts';
import { NO_MEMBER, NO_MEMBER_GROUP } from '../../accounts/refusals.ts';
import { Refused } from '../../kernel/envelope.ts';
import { checkedContent, refusedPart, versionOf } from './checkedContent.ts';
import { groupPaths, groupReference } from './deviceKinds.ts';
import {
  faultOf,
  type JudgeRecord,
  nameKey,
  type PartFields,
  type PartKind,
  type PartStores,
  type PlanContext,
  type SavedPart,
  textsOf,
  type WantedRecord,
} from './partRecords.ts';

export const roleKind: PartKind = {
  record: 'role',
  part: 'members',
  read: async ({ roles }) =>
    (await roles.list()).map(({ id, version, name, builtIn, permissions, secondFactorRequired }) => ({
      ...{ key: nameKey(name), name, id, version, isReached: true },
      // `builtIn` says which of the product's roles it is: it identifies the administrators' role, and is not a field of a call.
      fields: { name, builtIn, permissions: [...permissions].sort(), secondFactorRequired },
    })),
  references: () => [],
  merge: (wanted, { builtIn }) => ({ ...wanted, builtIn }),
  judge: ({ actor }) => {
    return ({ fields, present }) => {
      if (present?.fields.builtIn === 'administrator') return [faultOf('', 'built-in')];
      if (present !== undefined && present.id === actor.role) return [faultOf('', 'own-role')];
      const held = present === undefined || holdsAll(actor.permissions, permissionsIn(present.fields));
      if (!held) return [faultOf('', 'beyond-own')];
      return holdsAll(actor.permissions, permissionsIn(fields)) ? [] : [faultOf('permissions', 'beyond-own')];
    };
  },
  save: async ({ fields: { builtIn: _, ...fields }, present }, { actor, acts: { roles } }) => {
    const given = checkedContent(RoleContent, fields);
    if (!given.ok) return given;
    const { content } = given;
    const saved = await (present ? roles.change(actor, versionOf(present), content) : roles.add(actor, content));
    return saved.ok ? { ok: true, id: saved.value.id } : refusedPart(refusalOfAct(saved.reason, Refused.notFound));
  },
};

export const memberGroupKind: PartKind = {
  record: 'member-group',
  part: 'members',
  read: async (stores) => {
    const [groups, paths] = await Promise.all([stores.memberGroups.list(), groupPaths(stores)]);
    const edited = await Promise.all(groups.map(({ serialno }) => stores.memberGroupEditing.find(serialno)));
    return edited.flatMap((group) => {
      if (group === undefined) return [];
      const { serialno, name, version, retentionDays, expiresAtMs } = group;
      const deviceGroups = group.deviceGroups.map((each) => paths.get(each) ?? '').sort();
      return [
        {
          ...{ key: nameKey(name), name, id: serialno, version, isReached: true },
          fields: { name, retentionDays, expiresAtMs, deviceGroups },
        },
      ];
    });
  },
  references: ({ deviceGroups }) => textsOf(deviceGroups).flatMap((path) => groupReference('deviceGroups', path, true)),
  save: async ({ fields, present }, { actor, acts: { memberGroups: groups }, ids }) => {
    const deviceGroups = textsOf(fields.deviceGroups).map((path) => ids('device-group', path));
    const given = checkedContent(GroupContent, { ...fields, deviceGroups });
    if (!given.ok) return given;
    const { content } = given;
    const saved = await (present ? groups.change(actor, versionOf(present), content) : groups.add(actor, content));
    return saved.ok ? { ok: true, id: saved.value.serialno } : refusedPart(refusalOfAct(saved.reason, NO_MEMBER_GROUP));
  },
};

/** Maximum members that a query may name. */
const MEMBERS_A_QUERY = 500;

export const memberKind: PartKind = {
  record: 'member',
  part: 'members',
  read: async (stores) => {
    const [members, groups] = await Promise.all([allMembers(stores), stores.memberGroups.list()]);
    const names = new Map(groups.map(({ serialno, name }) => [serialno, name]));
    return members.map((member) => ({
      ...{ key: nameKey(member.username), name: member.username, id: member.id, version: member.version },
      isReached: true,
      fields: fieldsOf(member, names),
    }));
  },
  references: ({ role, groups }) => [
    ...(role === '' ? [] : [namedRole(String(role))]),
    ...textsOf(groups).map((name) => ({
      ...{ field: 'groups', record: 'member-group' as const, key: nameKey(name), name },
    })),
  ],
  // A member who was disabled since the backup stays disabled. A member without a role keeps their permissions.
  merge: (wanted, present) => ({
    ...wanted,
    permissions: present.permissions,
    role: wanted.role === '' ? present.role : wanted.role,
    disabled: wanted.disabled === true || present.disabled === true,
  }),
  judge: judgeMembers,
  save: async ({ record, fields, present }, { actor, acts: { members }, ids }) => {
    const { permissions: _, ...named } = fields;
    const role = named.role === '' ? 0 : ids('role', nameKey(String(named.role)));
    const groups = textsOf(named.groups).map((name) => ids('member-group', nameKey(name)));
    const content = { ...named, role, groups };
    if (present === undefined) {
      const added = checkedContent(NewMember, { ...content, username: record.name });
      return added.ok ? savedMember(await members.add(actor, added.content)) : added;
    }
    const changed = checkedContent(MemberContent, content);
    return changed.ok ? savedMember(await members.change(actor, versionOf(present), changed.content)) : changed;
  },
};

function savedMember(done: Outcome<{ readonly id: number }, MemberRefusal>): SavedPart {
  return done.ok ? { ok: true, id: done.value.id } : refusedPart(refusalOfAct(done.reason, NO_MEMBER));
}

function judgeMembers({ actor, username, present, archived }: PlanContext): JudgeRecord {
  const roles = new Map<string, readonly string[]>();
  // A role that the backup changes counts with its permissions before and after: the import may stop between the two.
  for (const { key, fields } of [...(present.get('role') ?? []), ...(archived.get('role') ?? [])]) {
    const isNew = !roles.has(key);
    roles.set(key, [...(isNew ? [] : (roles.get(key) ?? [])), ...permissionsIn(fields)]);
  }
  const self = nameKey(username);
  return (wanted) => faultsOfMember(wanted, self, { held: actor.permissions, roles });
}

interface Held {
  readonly held: readonly string[];
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

function faultsOfMember({ record, fields, present }: WantedRecord, self: string, { held, roles }: Held): PartFault[] {
  if (record.key === self) return [faultOf('', 'own-account')];
  if (present !== undefined && !holdsAll(held, permissionsIn(present.fields))) return [faultOf('', 'beyond-own')];
  // A member with individual permissions has no role, but a new member must have one.
  if (fields.role === '' && present === undefined) return [faultOf('role', 'required')];
  const given = roles.get(nameKey(String(fields.role))) ?? [];
  return fields.role === '' || holdsAll(held, given) ? [] : [faultOf('role', 'beyond-own', String(fields.role))];
}

async function allMembers({ users, members }: PartStores): Promise<StoredMember[]> {
  const ids = (await users.list()).map(({ id }) => id);
  const found: StoredMember[] = [];
  for (let at = 0; at < ids.length; at += MEMBERS_A_QUERY) {
    found.push(...(await members.findAll(ids.slice(at, at + MEMBERS_A_QUERY))).values());
  }
  return found;
}

function fieldsOf(member: StoredMember, groupNames: ReadonlyMap<number, string>): PartFields {
  const { displayName, roleName, language, timeZone, email, phone, expiresAtMs, disabled, wallMonitorAllowed } = member;
  const groups = member.groups.map((group) => groupNames.get(group) ?? '').sort();
  const person = { displayName, role: roleName, groups, language, timeZone, email, phone };
  return { ...person, expiresAtMs, disabled, wallMonitorAllowed, permissions: [...member.permissions].sort() };
}

function namedRole(name: string) {
  return { field: 'role', record: 'role', key: nameKey(name), name } as const;
}

function permissionsIn({ permissions }: PartFields): readonly string[] {
  return textsOf(permissions);
}
