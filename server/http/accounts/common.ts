// What the calls that run the accounts have in common.
import { Type } from 'typebox';
import { IdText, VersionText } from '../../../shared/protocol/api/records.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { nameOf } from '../../auth/acts/groupNames.ts';
import type { Invitations } from '../../auth/invitations.ts';
import { type Actor, groupScope, mayEdit, sees } from '../../auth/membershipRules.ts';
import type { Passwords } from '../../auth/passwords.ts';
import type { SecondFactors } from '../../auth/secondFactors.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { MembersWithin } from '../../store/accounts/memberQuery.ts';
import type { StoredMember } from '../../store/accounts/members.ts';
import type { Stores } from '../../store/stores.ts';
import type { Refusal } from '../kernel/envelope.ts';
import type { Caller } from '../kernel/recognise.ts';
import { BEYOND_OWN, NO_MEMBER } from './refusals.ts';

type NeededStores =
  | 'members'
  | 'memberGroupEditing'
  | 'memberGroups'
  | 'deviceGroups'
  | 'roles'
  | 'sessionList'
  | 'settings'
  | 'audit';

export interface MembershipDeps extends Pick<Stores, NeededStores | 'users'> {
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly invitations: Invitations;
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
}

export const MAY_RUN_MEMBERS = { access: { kind: 'permissions', all: [Permission.Member] } } as const;
/** What reaches beyond the caller's own groups. */
export const MAY_RUN_ACCOUNTS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Member] },
} as const;

/** The use cases tell of what they change. */
export const TOLD_MEMBERS_ACT = { ...MAY_RUN_MEMBERS, changes: [] } as const;
export const TOLD_ACCOUNTS_ACT = { ...MAY_RUN_ACCOUNTS, changes: [] } as const;

/** A record in an address. */
export const IdParams = Type.Object({ id: IdText });
export const SerialParams = Type.Object({ serialno: IdText });
/** Which version of it is removed. */
export const VersionQuery = Type.Object({ version: VersionText }, { additionalProperties: false });

export function actorOf({ user, groups }: Caller): Actor {
  return {
    id: user.id,
    permissions: user.permissions,
    role: user.role,
    groups: groups.map(({ serialno }) => serialno),
  };
}

/** What a list is limited to for the caller; undefined for those who see everybody. */
export function withinOf(actor: Actor): MembersWithin | undefined {
  const groups = groupScope(actor);
  return groups === undefined ? undefined : { groups, self: actor.id };
}

/** The member, if the caller may change that one; else why not. */
export async function findEditable(
  id: number,
  actor: Actor,
  { members }: Pick<MembershipDeps, 'members'>,
): Promise<StoredMember | Refusal> {
  const member = await members.find(id);
  if (member === undefined || !sees(actor, member)) return NO_MEMBER;
  return mayEdit(actor, member) ? member : BEYOND_OWN;
}

/** The names for a cell of a CSV file. */
export function joinedNames(numbers: readonly number[], names: ReadonlyMap<number, string>): string {
  return numbers.map((number) => nameOf(number, names)).join('; ');
}
