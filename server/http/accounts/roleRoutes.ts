import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  CHOICES_PATH,
  ChangedRole,
  MembershipChoices,
  MembershipPolicy,
  POLICY_PATH,
  ROLES_PATH,
  Role,
  RoleContent,
  Roles,
} from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { SECOND_FACTOR_FOR_ALL, SECOND_FACTOR_SETTING } from '../../auth/accounts.ts';
import { createRoleActs, type RoleRefusal, refusalOfRole } from '../../auth/acts/roles.ts';
import { type Actor, groupScope, holdsAll } from '../../auth/membershipRules.ts';
import type { StoredRole } from '../../store/accounts/roles.ts';
import type { Outcome } from '../../store/outcome.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf as whoActs } from '../kernel/records/recordRoutes.ts';
import { refusalOfAct } from './actRefusals.ts';
import {
  actorOf,
  IdParams,
  MAY_RUN_ACCOUNTS,
  MAY_RUN_MEMBERS,
  type MembershipDeps,
  TOLD_ACCOUNTS_ACT,
  VersionQuery,
} from './common.ts';

/** Roles, what the forms choose from, and whether everybody needs a second factor. */
export function registerRoles(app: FastifyInstance, deps: MembershipDeps): void {
  registerReading(app, deps);
  registerChanges(app, deps);
  registerPolicy(app, deps);
}

function registerReading(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;

  routes.get(ROLES_PATH, { schema: { summary: 'Roles', response: answers(Roles) }, config }, async (request) =>
    ok(await shownRoles(actorOf(callerOf(request)), deps)),
  );

  const choosing = { summary: 'What the forms choose from', response: answers(MembershipChoices) };
  routes.get(CHOICES_PATH, { schema: choosing, config }, async (request) => {
    const actor = actorOf(callerOf(request));
    const scope = groupScope(actor);
    const groups = (await deps.memberGroups.list()).filter(({ serialno }) => scope?.includes(serialno) ?? true);
    const deviceGroups = scope === undefined ? await deps.deviceGroups.list() : [];
    return ok({
      roles: await shownRoles(actor, deps),
      groups: groups.map(({ serialno, name }) => ({ serialno, name })),
      deviceGroups: deviceGroups.map(({ serialno, name }) => ({ serialno, name })),
      secondFactorForAll: await isSecondFactorForAll(deps),
    });
  });
}

function registerChanges(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const acts = createRoleActs(deps);
  const config = TOLD_ACCOUNTS_ACT;
  const path = `${ROLES_PATH}/:id`;
  const params = IdParams;

  const adding = { summary: 'Adds a role', body: RoleContent, response: answers(Role) };
  routes.post(ROLES_PATH, { schema: adding, config }, async (request, reply) =>
    answer(reply, await acts.add(whoActs(request), request.body), shownTo(request, deps)),
  );

  const changing = { summary: 'Changes a role', params, body: ChangedRole, response: answers(Role) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const named = { id: Number(request.params.id), version };
    return answer(reply, await acts.change(whoActs(request), named, content), shownTo(request, deps));
  });

  const removing = { summary: 'Removes a role', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: Number(request.query.version) };
    const done = await acts.remove(whoActs(request), named);
    return done.ok ? ok({}) : answer(reply, done, shownTo(request, deps));
  });
}

type ShowRole = (role: StoredRole) => Promise<Role>;

function shownTo(request: FastifyRequest, { roles }: MembershipDeps): ShowRole {
  const actor = actorOf(callerOf(request));
  return async (role) => show(role, actor, (await roles.countMembers()).get(role.id) ?? 0);
}

async function answer(reply: FastifyReply, done: Outcome<StoredRole, RoleRefusal>, shown: ShowRole) {
  if (done.ok) return ok(await shown(done.value));
  const { reason } = done;
  const current = reason.kind === 'conflict' ? await shown(reason.current) : undefined;
  return refuse(reply, refusalOfAct(reason, Refused.notFound, current));
}

function registerPolicy(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const summary = 'Whether everybody needs a second factor';
  const schema = { summary, body: MembershipPolicy, response: answers(MembershipPolicy) };
  routes.put(POLICY_PATH, { schema, config: MAY_RUN_ACCOUNTS }, async (request) => {
    const { secondFactorForAll } = request.body;
    const before = { secondFactorForAll: await isSecondFactorForAll(deps) };
    await deps.settings.set(SECOND_FACTOR_SETTING, secondFactorForAll ? SECOND_FACTOR_FOR_ALL : '');
    await recordAudit(request, { action: 'membership.policy', before, after: { secondFactorForAll } });
    return ok({ secondFactorForAll });
  });
}

async function isSecondFactorForAll({ settings }: MembershipDeps): Promise<boolean> {
  return (await settings.get(SECOND_FACTOR_SETTING)) === SECOND_FACTOR_FOR_ALL;
}

async function shownRoles(actor: Actor, { roles }: MembershipDeps): Promise<readonly Role[]> {
  const [list, counts] = await Promise.all([roles.list(), roles.countMembers()]);
  return list.map((role) => show(role, actor, counts.get(role.id) ?? 0));
}

function show(role: StoredRole, actor: Actor, members: number): Role {
  return {
    ...role,
    members,
    mayGive: holdsAll(actor.permissions, role.permissions),
    mayEdit: groupScope(actor) === undefined && refusalOfRole(role, actor) === undefined,
  };
}
