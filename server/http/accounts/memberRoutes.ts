import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type IssuedInvitation, MEMBER_SORTS } from '../../../shared/protocol/api/accounts.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import {
  type Actor,
  type FieldFaults,
  faultsOfChange,
  faultsOfNew,
  groupScope,
  mayEdit,
  sees,
} from '../../auth/membershipRules.ts';
import { passwordFault } from '../../auth/passwordRules.ts';
import type { Member } from '../../store/accounts/members.ts';
import { allRows } from '../kernel/allRows.ts';
import { callerOf } from '../kernel/caller.ts';
import { sendCsv } from '../kernel/csv.ts';
import {
  commonPassword,
  conflictWith,
  EnvelopeOf,
  ErrorAnswers,
  ok,
  type Refusal,
  refuse,
  refusedFields,
} from '../kernel/envelope.ts';
import {
  actorOf,
  BEYOND_OWN,
  GONE,
  LAST_ADMINISTRATOR,
  MAY_RUN_MEMBERS,
  type MembershipDeps,
  NO_MEMBER,
  note,
  OWN_ACCOUNT,
  withinOf,
} from './common.ts';
import { ListQueryOf, NumberText, PageOf, readListQuery } from './lists.ts';
import {
  ChangedMember,
  factsOf,
  type GivenMember,
  MemberAnswer,
  NewMember,
  nameFaults,
  State,
  showMember,
  textFaults,
} from './memberShape.ts';
import { CSV_HEADER, memberLine, withHeader } from './membersAsCsv.ts';

const MemberList = ListQueryOf(MEMBER_SORTS, {
  /** 0: members without a role. */
  role: Type.Optional(NumberText),
  group: Type.Optional(NumberText),
  state: Type.Optional(State),
  secondFactor: Type.Optional(Type.Union([Type.Literal('0'), Type.Literal('1')])),
});
type MemberListQuery = Type.Static<typeof MemberList>;

export const MemberId = Type.Object({ id: NumberText });
export const Version = Type.Object({ version: NumberText }, { additionalProperties: false });
export const Nothing = Type.Object({});

const Invited = Type.Object({ token: Type.String(), expiresAtMs: Type.Integer() });
const Added = Type.Unsafe<{ readonly id: number; readonly invitation?: IssuedInvitation }>(
  Type.Object({ id: Type.Integer(), invitation: Type.Optional(Invited) }),
);

const PATH = '/api/membership/members';

/** The members that the caller sees: list, add, change, remove. */
export async function registerMembers(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;
  const { members, now } = deps;

  routes.get(
    PATH,
    { schema: { summary: 'Members', querystring: MemberList, response: answers(PageOf(MemberAnswer)) }, config },
    async (request) => {
      const actor = actorOf(callerOf(request));
      const { total, rows } = await members.list(queryOf(request.query, actor, deps));
      return ok({ total, rows: rows.map((row) => showMember(row, actor, now())) });
    },
  );

  routes.get(
    `${PATH}/csv`,
    { schema: { summary: 'Members as CSV', querystring: MemberList, response: ErrorAnswers }, config },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const names = await groupNamesOf(deps);
      const query = queryOf(request.query, actor, deps);
      const load = async (page: { readonly offset: number; readonly limit: number }) =>
        (await members.list({ ...query, ...page })).rows;
      const line = (row: Member) => memberLine(showMember(row, actor, now()), row.roleName, names);
      return sendCsv(reply, 'members.csv', withHeader(CSV_HEADER, allRows(load, line)));
    },
  );

  routes.get(
    `${PATH}/:id`,
    { schema: { summary: 'A member', params: MemberId, response: answers(MemberAnswer) }, config },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const member = await members.find(Number(request.params.id));
      if (member === undefined || !sees(actor, member)) return refuse(reply, NO_MEMBER);
      return ok(showMember(member, actor, now()));
    },
  );

  routes.post(
    PATH,
    { schema: { summary: 'Adds a member', body: NewMember, response: answers(Added) }, config },
    (request, reply) => addMember(request, reply, deps),
  );

  routes.put(
    `${PATH}/:id`,
    {
      schema: { summary: 'Changes a member', params: MemberId, body: ChangedMember, response: answers(MemberAnswer) },
      config,
    },
    (request, reply) => changeMember(request, reply, deps),
  );

  routes.delete(
    `${PATH}/:id`,
    {
      schema: { summary: 'Removes a member', params: MemberId, querystring: Version, response: answers(Nothing) },
      config,
    },
    (request, reply) => removeMember(request, reply, deps),
  );
}

function answers<Data extends Type.TSchema>(data: Data) {
  return { 200: EnvelopeOf(data), ...ErrorAnswers };
}

function queryOf(query: MemberListQuery, actor: Actor, { now }: MembershipDeps) {
  const { role, group, state, secondFactor } = query;
  return {
    ...readListQuery(query, 'username'),
    role: role === undefined ? undefined : Number(role),
    group: group === undefined ? undefined : Number(group),
    state,
    hasSecondFactor: secondFactor === undefined ? undefined : secondFactor === '1',
    within: withinOf(actor),
    at: now(),
  };
}

type Body<Given> = FastifyRequest & { readonly body: Given };

async function addMember(request: Body<Type.Static<typeof NewMember>>, reply: FastifyReply, deps: MembershipDeps) {
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
  const how = invitation === undefined ? 'password' : 'invitation';
  const after = factsOf({ ...given, roleName: role?.name ?? '' }, await groupNamesOf(deps));
  await note(request, deps, { action: 'user.add', target: username, after, detail: { by: how } });
  return ok({ id: added.value, ...(invitation === undefined ? {} : { invitation }) });
}

async function changeMember(
  request: Body<Type.Static<typeof ChangedMember>> & { readonly params: { readonly id: string } },
  reply: FastifyReply,
  deps: MembershipDeps,
) {
  const { version, ...given } = request.body;
  const actor = actorOf(callerOf(request));
  const known = await editable(Number(request.params.id), actor, deps);
  if ('status' in known) return refuse(reply, known);
  const { role, faults } = await wantedRole(given, deps);
  const wrong = { ...textFaults(given), ...faultsOfChange(actor, known, { ...given, role }), ...faults };
  const unknown = await unknownGroups(given.groups, deps);
  if (hasFaults({ ...wrong, ...unknown })) return refuse(reply, refusedFields({ ...unknown, ...wrong }));
  const content = { ...given, role: role?.id, expiresAtMs: wallMs(given.expiresAtMs) };
  const changed = await deps.members.update(known.id, version, { content, scope: groupScope(actor) });
  if (!changed.ok) return refuseChange(reply, changed.reason, showMember(known, actor, deps.now()));
  const now = await deps.members.find(known.id);
  if (now === undefined) return refuse(reply, GONE);
  if (given.disabled) await deps.sessions.endAllOf(known.id);
  // Given for half a year: what is not allowed any more must not go on until then.
  else if (!given.wallMonitorAllowed) await deps.sessionList.removeWallMonitors(known.id);
  const names = await groupNamesOf(deps);
  const facts = { before: factsOf(changed.value, names), after: factsOf(now, names) };
  await note(request, deps, { action: 'user.change', target: known.username, ...facts });
  return ok(showMember(now, actor, deps.now()));
}

async function removeMember(
  request: FastifyRequest<{ Params: { id: string }; Querystring: { version: string } }>,
  reply: FastifyReply,
  deps: MembershipDeps,
) {
  const actor = actorOf(callerOf(request));
  const known = await editable(Number(request.params.id), actor, deps);
  if ('status' in known) return refuse(reply, known);
  if (known.id === actor.id) return refuse(reply, OWN_ACCOUNT);
  const removed = await deps.members.remove(known.id, Number(request.query.version));
  if (!removed.ok) return refuseChange(reply, removed.reason, showMember(known, actor, deps.now()));
  const before = factsOf(removed.value, await groupNamesOf(deps));
  await note(request, deps, { action: 'user.remove', target: known.username, before });
  return ok({});
}

/** The member, if the caller may change that one; else why not. */
export async function editable(id: number, actor: Actor, deps: MembershipDeps): Promise<Member | Refusal> {
  const member = await deps.members.find(id);
  if (member === undefined || !sees(actor, member)) return NO_MEMBER;
  return mayEdit(actor, member) ? member : BEYOND_OWN;
}

function refuseChange(reply: FastifyReply, reason: 'gone' | 'conflict' | 'last-administrator', current: unknown) {
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
async function wantedRole({ role }: Pick<GivenMember, 'role'>, { roles }: MembershipDeps) {
  if (role === 0) return { role: undefined, faults: {} };
  const known = await roles.find(role);
  return { role: known, faults: known === undefined ? { role: 'unknown' } : {} };
}

async function groupNamesOf({ memberGroups }: MembershipDeps): Promise<ReadonlyMap<number, string>> {
  return new Map((await memberGroups.list()).map(({ serialno, name }) => [serialno, name]));
}

async function unknownGroups(groups: readonly number[], deps: MembershipDeps): Promise<FieldFaults> {
  const known = await groupNamesOf(deps);
  return groups.every((group) => known.has(group)) ? {} : { groups: 'unknown' };
}

function hasFaults(faults: FieldFaults): boolean {
  return Object.keys(faults).length > 0;
}
