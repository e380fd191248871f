import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
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
import { type Actor, groupScope, holdsAll } from '../../auth/membershipRules.ts';
import type { RoleRefusal, StoredRole } from '../../store/accounts/roles.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { conflictWith, ok, type Refusal, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, IdParams, MAY_RUN_ACCOUNTS, MAY_RUN_MEMBERS, type MembershipDeps, VersionQuery } from './common.ts';
import { BEYOND_OWN, LAST_ADMINISTRATOR, NAME_TAKEN } from './refusals.ts';

const OWN_ROLE = { status: 403, code: 'own-role', message: "You can't edit your own role." } as const;
const BUILT_IN = {
  status: 409,
  code: 'built-in',
  message: "Built-in roles can't be changed. Copy the role and edit the copy.",
} as const;
const IN_USE = {
  status: 409,
  code: 'role-in-use',
  message: 'Members have this role. Give them another role first.',
} as const;

/** Roles, what the forms choose from, and whether everybody needs a second factor. */
export function registerRoles(app: FastifyInstance, deps: MembershipDeps): void {
  registerReading(app, deps);
  registerAdding(app, deps);
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

function registerAdding(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a role', body: RoleContent, response: answers(Role) };
  routes.post(ROLES_PATH, { schema, config: MAY_RUN_ACCOUNTS }, async (request, reply) => {
    const given = { ...request.body, name: request.body.name.trim() };
    const actor = actorOf(callerOf(request));
    const faults = faultsOf(given, actor);
    if (faults !== undefined) return refuse(reply, faults);
    const added = await deps.roles.insert(given);
    if (!added.ok) return refuse(reply, NAME_TAKEN);
    await recordAudit(request, { action: 'role.add', target: given.name, after: auditFieldsOf(given) });
    return ok(await shownRole(added.value, actor, deps));
  });
}

function registerChanges(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { roles } = deps;
  const config = MAY_RUN_ACCOUNTS;
  const path = `${ROLES_PATH}/:id`;
  const params = IdParams;

  const changing = { summary: 'Changes a role', params, body: ChangedRole, response: answers(Role) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...body } = request.body;
    const given = { ...body, name: body.name.trim() };
    const actor = actorOf(callerOf(request));
    const known = await editable(Number(request.params.id), actor, deps);
    if ('status' in known) return refuse(reply, known);
    const faults = faultsOf(given, actor);
    if (faults !== undefined) return refuse(reply, faults);
    const done = await roles.update(known.id, version, given);
    if (!done.ok) return refuseChange(reply, done.reason, await shownRole(known.id, actor, deps));
    const before = auditFieldsOf(done.value);
    const after = auditFieldsOf({ ...given, name: nameAfter(known, given.name) });
    await recordAudit(request, { action: 'role.change', target: known.name, before, after });
    return ok(await shownRole(known.id, actor, deps));
  });

  const removing = { summary: 'Removes a role', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const actor = actorOf(callerOf(request));
    const known = await editable(Number(request.params.id), actor, deps);
    if ('status' in known) return refuse(reply, known);
    if (known.builtIn !== '') return refuse(reply, BUILT_IN);
    const done = await roles.remove(known.id, Number(request.query.version));
    if (!done.ok) return refuseChange(reply, done.reason, await shownRole(known.id, actor, deps));
    await recordAudit(request, { action: 'role.remove', target: known.name, before: auditFieldsOf(done.value) });
    return ok({});
  });
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

function faultsOf({ name, permissions }: RoleContent, actor: Actor): Refusal | undefined {
  const faults = {
    ...(name === '' ? { name: 'required' } : {}),
    ...(holdsAll(actor.permissions, permissions) ? {} : { permissions: 'beyond-own' }),
  };
  return Object.keys(faults).length > 0 ? refusedFields(faults) : undefined;
}

async function editable(id: number, actor: Actor, { roles }: MembershipDeps): Promise<StoredRole | Refusal> {
  const role = await roles.find(id);
  if (role === undefined) return Refused.notFound;
  return whyNot(role, actor) ?? role;
}

/** Why the caller may not change the role, if so. */
function whyNot(role: StoredRole, actor: Actor): Refusal | undefined {
  if (role.builtIn === 'administrator') return BUILT_IN;
  if (role.id === actor.role) return OWN_ROLE;
  return holdsAll(actor.permissions, role.permissions) ? undefined : BEYOND_OWN;
}

function nameAfter(known: StoredRole, given: string): string {
  return known.builtIn === '' ? given : known.name;
}

function refuseChange(reply: FastifyReply, reason: RoleRefusal, current: Role): FastifyReply {
  switch (reason) {
    case 'gone':
      return refuse(reply, Refused.notFound);
    case 'conflict':
      return refuse(reply, conflictWith(current));
    case 'taken':
      return refuse(reply, NAME_TAKEN);
    case 'in-use':
      return refuse(reply, IN_USE);
    case 'last-administrator':
      return refuse(reply, LAST_ADMINISTRATOR);
  }
}

function auditFieldsOf({ name, permissions, secondFactorRequired }: RoleContent) {
  return { name, permissions: [...permissions].sort(), secondFactorRequired };
}

async function shownRoles(actor: Actor, { roles }: MembershipDeps): Promise<readonly Role[]> {
  const [list, counts] = await Promise.all([roles.list(), roles.countMembers()]);
  return list.map((role) => show(role, actor, counts.get(role.id) ?? 0));
}

async function shownRole(id: number, actor: Actor, deps: MembershipDeps): Promise<Role> {
  const role = (await shownRoles(actor, deps)).find((each) => each.id === id);
  if (role === undefined) throw new Error(`the role ${id} is gone`);
  return role;
}

function show(role: StoredRole, actor: Actor, members: number): Role {
  return {
    ...role,
    members,
    mayGive: holdsAll(actor.permissions, role.permissions),
    mayEdit: groupScope(actor) === undefined && whyNot(role, actor) === undefined,
  };
}
