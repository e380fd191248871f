// What the calls that run the accounts have in common.
import type { FastifyRequest } from 'fastify';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Invitations } from '../../auth/invitations.ts';
import type { Actor } from '../../auth/membershipRules.ts';
import { groupScope } from '../../auth/membershipRules.ts';
import type { Passwords } from '../../auth/passwords.ts';
import type { SecondFactors } from '../../auth/secondFactors.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import type { Stores } from '../../store/stores.ts';
import { callerOf } from '../kernel/caller.ts';
import { Refused } from '../kernel/envelope.ts';
import type { Caller } from '../kernel/recognise.ts';

type NeededStores =
  | 'members'
  | 'memberGroupEditing'
  | 'memberGroups'
  | 'deviceGroups'
  | 'roles'
  | 'sessionList'
  | 'settings';

export interface MembershipDeps extends Pick<Stores, NeededStores | 'users'> {
  readonly audit: Pick<AuditStore, 'add'>;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly invitations: Invitations;
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly now: () => WallMs;
}

export const MAY_RUN_MEMBERS = { access: { kind: 'permissions', all: [Permission.Member] } } as const;
/** What reaches beyond the caller's own groups. */
export const MAY_RUN_ACCOUNTS = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Member] },
} as const;

export const NO_MEMBER = {
  status: 404,
  code: 'no-such-member',
  message: "Member not found, or you don't have access to this member.",
} as const;
export const BEYOND_OWN = {
  status: 403,
  code: 'beyond-own',
  message: "This needs permissions or groups that you don't have.",
} as const;
export const OWN_ACCOUNT = {
  status: 403,
  code: 'own-account',
  message: "You can't change this for your own account.",
} as const;
export const LAST_ADMINISTRATOR = {
  status: 409,
  code: 'last-administrator',
  message: 'At least one active administrator is required. Make another member one first.',
} as const;
export const GONE = Refused.notFound;

export function actorOf(caller: Caller): Actor {
  const { user, groups } = caller;
  return {
    id: user.id,
    permissions: user.permissions,
    role: user.role,
    groups: groups.map(({ serialno }) => serialno),
  };
}

/** What a list is limited to for the caller; undefined for those who see everybody. */
export function withinOf(actor: Actor) {
  const groups = groupScope(actor);
  return groups === undefined ? undefined : { groups, self: actor.id };
}

type Facts = Readonly<Record<string, unknown>>;

export interface Change {
  readonly action: string;
  readonly target: string;
  readonly before?: Facts;
  readonly after?: Facts;
  readonly detail?: Facts;
}

/** Writes down who did it; of before and after only what differs. */
export async function note(request: FastifyRequest, deps: MembershipDeps, change: Change): Promise<void> {
  const { action, target, detail = {} } = change;
  const entry = { actor: callerOf(request).user.username, action, target, address: request.ip, detail };
  await deps.audit.add({ ...entry, ...difference(change) }, deps.now());
}

function difference({ before, after }: Change) {
  if (before === undefined || after === undefined) return { before, after };
  const differ = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const only = (facts: Facts): Facts => Object.fromEntries(differ.map((name) => [name, facts[name]]));
  return { before: only(before), after: only(after) };
}
