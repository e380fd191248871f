// Members as the caller may see them, checks of their texts, and their fields in the audit log.
import type { Member, MemberContent } from '../../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { namesOf } from '../../auth/acts/groupNames.ts';
import {
  type Actor,
  type FieldFaults,
  groupScope,
  isAdministrator,
  mayEdit,
  mayPlace,
} from '../../auth/membershipRules.ts';
import type { StoredMember } from '../../store/accounts/members.ts';

/** The member as this caller may see them. */
export function showMember(member: StoredMember, actor: Actor, at: WallMs): Member {
  const scope = groupScope(actor);
  const { roleName: _, hasPassword: __, hasSecondFactor, ...shown } = member;
  return {
    ...shown,
    role: member.role ?? 0,
    groups: member.groups.filter((group) => scope?.includes(group) ?? true),
    secondFactor: hasSecondFactor,
    invitationEndsAtMs: member.invitationEndsAtMs > at ? member.invitationEndsAtMs : wallMs(0),
    state: stateOf(member, at),
    isSelf: member.id === actor.id,
    mayEdit: mayEdit(actor, member),
    mayPlace: mayPlace(actor, member) && (member.id !== actor.id || isAdministrator(actor)),
  };
}

function stateOf(member: StoredMember, at: WallMs): Member['state'] {
  if (member.disabled) return 'disabled';
  if (member.expiresAtMs !== 0 && member.expiresAtMs <= at) return 'expired';
  return member.hasPassword ? 'active' : 'invited';
}

interface AuditedMember extends Omit<MemberContent, 'role'> {
  readonly roleName: string;
}

/** The fields for the audit log: roles and groups by their names at that time, since numbers outlive what they number. */
export function auditFieldsOf(member: AuditedMember, groupNames: ReadonlyMap<number, string>) {
  const { displayName, roleName, language, timeZone, email = '', phone = '' } = member;
  const { expiresAtMs, disabled, wallMonitorAllowed } = member;
  const groups = namesOf(member.groups, groupNames);
  const person = { displayName, role: roleName, groups, language, timeZone, email, phone };
  return { ...person, expiresAtMs, disabled, wallMonitorAllowed };
}

/** Faults of the texts themselves, whoever sends them. */
export function textFaults({ timeZone }: Pick<MemberContent, 'timeZone'>): FieldFaults {
  return isTimeZone(timeZone) ? {} : { timeZone: 'unknown' };
}

/** A username is a part of link addresses, between slashes. */
export function nameFaults(username: string): FieldFaults {
  if (username.trim() === '') return { username: 'required' };
  return /^\S(?:[^/\\?#%]*\S)?$/.test(username) && !/[/\\?#%]/.test(username) ? {} : { username: 'bad-format' };
}
