import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  AddedMember,
  ChangedMember,
  MEMBERS_PATH,
  Member,
  type MemberContent,
  NewMember,
} from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { groupNamesOf } from '../../auth/acts/groupNames.ts';
import { type FieldFaults, faultsOfChange, faultsOfNew, groupScope, sees } from '../../auth/membershipRules.ts';
import { passwordFault } from '../../auth/passwordRules.ts';
import type { Unchanged } from '../../store/accounts/roles.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { commonPassword, conflictWith, ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, findEditable, IdParams, MAY_RUN_MEMBERS, type MembershipDeps, VersionQuery } from './common.ts';
import { auditFieldsOf, nameFaults, showMember, textFaults } from './memberShape.ts';
import { LAST_ADMINISTRATOR, NO_MEMBER, OWN_ACCOUNT } from './refusals.ts';

/** A member that the caller sees: read, add, change, remove. */
export function registerMembers(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;
  const path = `${MEMBERS_PATH}/:id`;
  const params = IdParams;

  routes.get(
    path,
    { schema: { summary: 'A member', params, response: answers(Member) }, config },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const member = await deps.members.find(Number(request.params.id));
      if (member === undefined || !sees(actor, member)) return refuse(reply, NO_MEMBER);
      return ok(showMember(member, actor, deps.now()));
    },
  );

  routes.post(
    MEMBERS_PATH,
    { schema: { summary: 'Adds a member', body: NewMember, response: answers(AddedMember) }, config },
    (request, reply) => addMember(request, reply, deps),
  );

  const changing = { summary: 'Changes a member', params, body: ChangedMember, response: answers(Member) };
  routes.put(path, { schema: changing, config }, (request, reply) => changeMember(request, reply, deps));

  const removing = { summary: 'Removes a member', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, (request, reply) => removeMember(request, reply, deps));
}

type Adding = FastifyRequest & { readonly body: NewMember };

async function addMember(request: Adding, reply: FastifyReply, deps: MembershipDeps) {
  const { username, password, ...given } = request.body;
  const actor = actorOf(callerOf(request));
  const { role, faults } = await wantedRole(given, deps);
  const wrong = { ...nameFaults(username), ...textFaults(given), ...faultsOfNew(actor, { ...given, role }), ...faults };
  const unknown = await unknownGroups(given.groups, deps);
  if (hasFaults({ ...wrong, ...unknown })) return refuse(reply, refusedFields({ ...unknown, ...wrong }));
  if (password !== undefined && passwordFault(password, username) !== undefined) {
    return refuse(reply, commonPassword('password'));
  }
  const passwordHash = password === undefined ? '' : await deps.passwords.hash(password);
  const expiresAtMs = wallMs(given.expiresAtMs);
  const user = { ...given, expiresAtMs, username, passwordHash, permissions: [], role: role?.id };
  const added = await deps.members.insert(user, given.groups, deps.now());
  if (!added.ok) return refuse(reply, { ...refusedFields({ username: 'taken' }), status: 409 });
  const invitation = password === undefined ? await deps.invitations.issue(added.value, actor.id) : undefined;
  const after = auditFieldsOf({ ...given, roleName: role?.name ?? '' }, await groupNamesOf(deps));
  const by = invitation === undefined ? 'password' : 'invitation';
  await recordAudit(request, { action: 'user.add', target: username, after, detail: { by } });
  return ok({ id: added.value, ...(invitation === undefined ? {} : { invitation }) });
}

type Changing = FastifyRequest & { readonly body: ChangedMember; readonly params: { readonly id: string } };

async function changeMember(request: Changing, reply: FastifyReply, deps: MembershipDeps) {
  const { version, ...given } = request.body;
  const actor = actorOf(callerOf(request));
  const known = await findEditable(Number(request.params.id), actor, deps);
  if ('status' in known) return refuse(reply, known);
  const { role, faults } = await wantedRole(given, deps);
  const wrong = { ...textFaults(given), ...faultsOfChange(actor, known, { ...given, role }), ...faults };
  const unknown = await unknownGroups(given.groups, deps);
  if (hasFaults({ ...wrong, ...unknown })) return refuse(reply, refusedFields({ ...unknown, ...wrong }));
  const content = { ...given, role: role?.id, expiresAtMs: wallMs(given.expiresAtMs) };
  const changed = await deps.members.update(known.id, version, { content, scope: groupScope(actor) });
  if (!changed.ok) return refuseChange(reply, changed.reason, showMember(known, actor, deps.now()));
  const now = await deps.members.find(known.id);
  if (now === undefined) return refuse(reply, Refused.notFound);
  if (given.disabled) await deps.sessions.endAllOf(known.id);
  // Given for half a year: what is not allowed any more must not go on until then.
  else if (!given.wallMonitorAllowed) await deps.sessionList.removeWallMonitors(known.id);
  const names = await groupNamesOf(deps);
  const before = auditFieldsOf(changed.value, names);
  const after = auditFieldsOf(now, names);
  await recordAudit(request, { action: 'user.change', target: known.username, before, after });
  return ok(showMember(now, actor, deps.now()));
}

type Removing = FastifyRequest<{ Params: { id: string }; Querystring: { version: string } }>;

async function removeMember(request: Removing, reply: FastifyReply, deps: MembershipDeps) {
  const actor = actorOf(callerOf(request));
  const known = await findEditable(Number(request.params.id), actor, deps);
  if ('status' in known) return refuse(reply, known);
  if (known.id === actor.id) return refuse(reply, OWN_ACCOUNT);
  const removed = await deps.members.remove(known.id, Number(request.query.version));
  if (!removed.ok) return refuseChange(reply, removed.reason, showMember(known, actor, deps.now()));
  const before = auditFieldsOf(removed.value, await groupNamesOf(deps));
  await recordAudit(request, { action: 'user.remove', target: known.username, before });
  return ok({});
}

function refuseChange(reply: FastifyReply, reason: Unchanged, current: Member): FastifyReply {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_MEMBER);
    case 'conflict':
      return refuse(reply, conflictWith(current));
    case 'last-administrator':
      return refuse(reply, LAST_ADMINISTRATOR);
  }
}

/** The role of that number; none is right for a member who has none. */
async function wantedRole({ role }: Pick<MemberContent, 'role'>, { roles }: MembershipDeps) {
  if (role === 0) return { role: undefined, faults: {} };
  const known = await roles.find(role);
  return { role: known, faults: known === undefined ? { role: 'unknown' } : {} };
}

async function unknownGroups(groups: readonly number[], deps: MembershipDeps): Promise<FieldFaults> {
  const known = await groupNamesOf(deps);
  return groups.every((group) => known.has(group)) ? {} : { groups: 'unknown' };
}

function hasFaults(faults: FieldFaults): boolean {
  return Object.keys(faults).length > 0;
}
