import type { Member } from '../../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { type Actor, groupScope, isAdministrator, mayEdit, mayPlace } from '../../auth/membershipRules.ts';
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
