// What the use cases of accounts have in common: who acts, why they are refused, and what is written down and told.
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import type { Permission } from '../../../shared/protocol/permissions.ts';
import { type ActTrailDeps, createActTrail } from '../../records/actTrail.ts';
import type { Actor, ContentRefusal, NotedChange } from '../../records/recordActs.ts';
import type { MemberGroupStore } from '../../store/accounts/memberGroups.ts';
import type { UserStore } from '../../store/accounts/users.ts';
import type { Outcome } from '../../store/outcome.ts';
import { isActive } from '../activeUser.ts';
import { holdsAll, type Actor as MembershipActor } from '../membershipRules.ts';

export interface AccountActsDeps extends ActTrailDeps {
  readonly users: Pick<UserStore, 'find'>;
  readonly memberGroups: Pick<MemberGroupStore, 'list' | 'listOfUser'>;
}

/** `Own`: reasons that a kind of record has beside those of all. */
export type AccountRefusal<Row, Own extends string> =
  | ActingRefusal
  | { readonly kind: 'gone' | 'beyond-own' | 'last-administrator' | Own }
  | Extract<ContentRefusal, { readonly kind: 'fields' }>
  /** Another record has this field's value. */
  | { readonly kind: 'taken'; readonly field: 'name' | 'username' }
  /** Somebody else changed it first; `current` is what it is by now. */
  | { readonly kind: 'conflict'; readonly current: Row };

interface ActingRefusal {
  readonly kind: 'not-signed-in' | 'forbidden';
}

/** Kinds of records that a change of accounts may change. */
export const ACCOUNT_RECORDS: readonly RecordKind[] = ['member', 'membergroup', 'role', 'group', 'session'];

/** The member who acts, with the rights that they have by now: long work may outlast them. */
export async function findActing(
  { userId }: Actor,
  needed: readonly Permission[],
  { users, memberGroups, now }: Pick<AccountActsDeps, 'users' | 'memberGroups' | 'now'>,
): Promise<Outcome<MembershipActor, ActingRefusal>> {
  const [user, groups] = await Promise.all([users.find(userId), memberGroups.listOfUser(userId)]);
  if (user === undefined || !isActive(user, now())) return { ok: false, reason: { kind: 'not-signed-in' } };
  const { permissions, role } = user;
  if (!holdsAll(permissions, needed)) return { ok: false, reason: { kind: 'forbidden' } };
  return { ok: true, value: { id: userId, permissions, role, groups: groups.map(({ serialno }) => serialno) } };
}

/** Settles once what was done is stored in the audit log and all followers have acted on it. */
export function noteAndTell(actor: Actor, change: NotedChange, deps: ActTrailDeps): Promise<void> {
  return createActTrail(ACCOUNT_RECORDS, deps)(actor, change);
}
