import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { SECOND_FACTOR_FOR_ALL, SECOND_FACTOR_SETTING } from '../../auth/accounts.ts';
import { type Actor, groupScope, holdsAll } from '../../auth/membershipRules.ts';
import type { Role, RoleRefusal } from '../../store/accounts/roles.ts';
import { callerOf } from '../kernel/caller.ts';
import { conflictWith, EnvelopeOf, ErrorAnswers, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import {
  actorOf,
  GONE,
  LAST_ADMINISTRATOR,
  MAY_RUN_ACCOUNTS,
  MAY_RUN_MEMBERS,
  type MembershipDeps,
  note,
} from './common.ts';
import { MemberId, Nothing, Version } from './memberRoutes.ts';
import { OneOf } from './memberShape.ts';

const PATH = '/api/membership/roles';

const content = {
  name: Type.String({ maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  permissions: Type.Array(OneOf(ALL_PERMISSIONS), {
    uniqueItems: true,
  }),
  secondFactorRequired: Type.Boolean(),
};
const closed = { additionalProperties: false } as const;
const NewRole = Type.Object(content, closed);
const ChangedRole = Type.Object({ version: Type.Integer({ minimum: 1 }), ...content }, closed);

const RoleAnswer = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  builtIn: OneOf(['', 'operator', 'manager', 'administrator']),
  permissions: Type.Array(Type.String()),
  secondFactorRequired: Type.Boolean(),
  members: Type.Integer(),
  version: Type.Integer(),
  mayGive: Type.Boolean(),
  mayEdit: Type.Boolean(),
});
const Named = Type.Object({ serialno: Type.Integer(), name: Type.String() });
const Choices = Type.Object({
  roles: Type.Array(RoleAnswer),
  groups: Type.Array(Named),
  deviceGroups: Type.Array(Named),
  secondFactorForAll: Type.Boolean(),
});
const Policy = Type.Object({ secondFactorForAll: Type.Boolean() }, closed);

const NOT_YOURS = {
  status: 403,
  code: 'beyond-own',
  message: "This needs permissions or groups that you don't have.",
} as const;
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
export async function registerRoles(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { roles } = deps;

  routes.get(
    PATH,
    { schema: { summary: 'Roles', response: answers(Type.Array(RoleAnswer)) }, config: MAY_RUN_MEMBERS },
    async (request) => ok(await shownRoles(actorOf(callerOf(request)), deps)),
  );

  routes.get(
    '/api/membership/choices',
    { schema: { summary: 'What the forms choose from', response: answers(Choices) }, config: MAY_RUN_MEMBERS },
    async (request) => {
      const actor = actorOf(callerOf(request));
      const scope = groupScope(actor);
      const groups = (await deps.memberGroups.list()).filter(({ serialno }) => scope?.includes(serialno) ?? true);
      const deviceGroups = scope === undefined ? await deps.deviceGroups.list() : [];
      return ok({
        roles: await shownRoles(actor, deps),
        groups: groups.map(({ serialno, name }) => ({ serialno, name })),
        deviceGroups: deviceGroups.map(({ serialno, name }) => ({ serialno, name })),
        secondFactorForAll: (await deps.settings.get(SECOND_FACTOR_SETTING)) === SECOND_FACTOR_FOR_ALL,
      });
    },
  );

  routes.post(
    PATH,
    { schema: { summary: 'Adds a role', body: NewRole, response: answers(RoleAnswer) }, config: MAY_RUN_ACCOUNTS },
    async (request, reply) => {
      const given = { ...request.body, name: request.body.name.trim() };
      const actor = actorOf(callerOf(request));
      const faults = faultsOf(given, actor);
      if (faults !== undefined) return refuse(reply, faults);
      const added = await roles.insert(given);
      if (!added.ok) return refuse(reply, TAKEN);
      await note(request, deps, { action: 'role.add', target: given.name, after: factsOf(given) });
      return ok(await shownRole(added.value, actor, deps));
    },
  );

  registerRoleChanges(app, deps);
  registerPolicy(app, deps);
}

function registerRoleChanges(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { roles } = deps;
  const changed = { params: MemberId, body: ChangedRole, response: answers(RoleAnswer) };
  routes.put(
    `${PATH}/:id`,
    { schema: { summary: 'Changes a role', ...changed }, config: MAY_RUN_ACCOUNTS },
    async (request, reply) => {
      const { version, ...body } = request.body;
      const given = { ...body, name: body.name.trim() };
      const actor = actorOf(callerOf(request));
      const known = await editable(Number(request.params.id), actor, deps);
      if ('status' in known) return refuse(reply, known);
      const faults = faultsOf(given, actor);
      if (faults !== undefined) return refuse(reply, faults);
      const done = await roles.update(known.id, version, given);
      if (!done.ok) return refuseChange(reply, done.reason, await shownRole(known.id, actor, deps));
      const facts = { before: factsOf(done.value), after: factsOf({ ...given, name: nameAfter(known, given.name) }) };
      await note(request, deps, { action: 'role.change', target: known.name, ...facts });
      return ok(await shownRole(known.id, actor, deps));
    },
  );

  const removed = { params: MemberId, querystring: Version, response: answers(Nothing) };
  routes.delete(
    `${PATH}/:id`,
    { schema: { summary: 'Removes a role', ...removed }, config: MAY_RUN_ACCOUNTS },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const known = await editable(Number(request.params.id), actor, deps);
      if ('status' in known) return refuse(reply, known);
      if (known.builtIn !== '') return refuse(reply, BUILT_IN);
      const done = await roles.remove(known.id, Number(request.query.version));
      if (!done.ok) return refuseChange(reply, done.reason, await shownRole(known.id, actor, deps));
      await note(request, deps, { action: 'role.remove', target: known.name, before: factsOf(done.value) });
      return ok({});
    },
  );
}

function registerPolicy(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Whether everybody needs a second factor', body: Policy, response: answers(Policy) };
  routes.put('/api/membership/policy', { schema, config: MAY_RUN_ACCOUNTS }, async (request) => {
    const { secondFactorForAll } = request.body;
    const before = (await deps.settings.get(SECOND_FACTOR_SETTING)) === SECOND_FACTOR_FOR_ALL;
    await deps.settings.set(SECOND_FACTOR_SETTING, secondFactorForAll ? SECOND_FACTOR_FOR_ALL : '');
    const facts = { before: { secondFactorForAll: before }, after: { secondFactorForAll } };
    await note(request, deps, { action: 'membership.policy', target: '', ...facts });
    return ok({ secondFactorForAll });
  });
}

function answers<Data extends Type.TSchema>(data: Data) {
  return { 200: EnvelopeOf(data), ...ErrorAnswers };
}

const TAKEN: Refusal = { ...refusedFields({ name: 'taken' }), status: 409 };

function faultsOf(given: { readonly name: string; readonly permissions: readonly string[] }, actor: Actor) {
  const faults = {
    ...(given.name === '' ? { name: 'required' } : {}),
    ...(holdsAll(actor.permissions, given.permissions) ? {} : { permissions: 'beyond-own' }),
  };
  return Object.keys(faults).length > 0 ? refusedFields(faults) : undefined;
}

async function editable(id: number, actor: Actor, { roles }: MembershipDeps): Promise<Role | Refusal> {
  const role = await roles.find(id);
  if (role === undefined) return GONE;
  return whyNot(role, actor) ?? role;
}

/** Why the caller may not change the role, if so. */
function whyNot(role: Role, actor: Actor): Refusal | undefined {
  if (role.builtIn === 'administrator') return BUILT_IN;
  if (role.id === actor.role) return OWN_ROLE;
  return holdsAll(actor.permissions, role.permissions) ? undefined : NOT_YOURS;
}

function nameAfter(known: Role, given: string): string {
  return known.builtIn === '' ? given : known.name;
}

function refuseChange(reply: FastifyReply, reason: RoleRefusal, current: unknown): FastifyReply {
  switch (reason) {
    case 'gone':
      return refuse(reply, GONE);
    case 'conflict':
      return refuse(reply, conflictWith(current));
    case 'taken':
      return refuse(reply, TAKEN);
    case 'in-use':
      return refuse(reply, IN_USE);
    case 'last-administrator':
      return refuse(reply, LAST_ADMINISTRATOR);
  }
}

function factsOf({
  name,
  permissions,
  secondFactorRequired,
}: Pick<Role, 'name' | 'permissions' | 'secondFactorRequired'>) {
  return { name, permissions: [...permissions].sort(), secondFactorRequired };
}

async function shownRoles(actor: Actor, { roles }: MembershipDeps) {
  const [list, counts] = await Promise.all([roles.list(), roles.countMembers()]);
  return list.map((role) => show(role, actor, counts.get(role.id) ?? 0));
}

async function shownRole(id: number, actor: Actor, deps: MembershipDeps) {
  const role = (await shownRoles(actor, deps)).find((each) => each.id === id);
  if (role === undefined) throw new Error(`the role ${id} is gone`);
  return role;
}

function show(role: Role, actor: Actor, members: number) {
  return {
    ...role,
    permissions: [...role.permissions],
    members,
    mayGive: holdsAll(actor.permissions, role.permissions),
    mayEdit: groupScope(actor) === undefined && whyNot(role, actor) === undefined,
  };
}
