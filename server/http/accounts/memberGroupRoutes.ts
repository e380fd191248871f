import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { GROUP_SORTS } from '../../../shared/protocol/api/accounts.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import {
  type Actor,
  groupScope,
  isAdministrator,
  mayPlace,
  mayShiftDeviceGroups,
  sees,
} from '../../auth/membershipRules.ts';
import type { EditedGroup, GroupRefusal, ShiftRule } from '../../store/accounts/memberGroupEditing.ts';
import { allRows, csvTimestamp } from '../kernel/allRows.ts';
import { callerOf } from '../kernel/caller.ts';
import { sendCsv } from '../kernel/csv.ts';
import { conflictWith, EnvelopeOf, ErrorAnswers, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import {
  actorOf,
  BEYOND_OWN,
  MAY_RUN_ACCOUNTS,
  MAY_RUN_MEMBERS,
  type MembershipDeps,
  NO_MEMBER,
  note,
  OWN_ACCOUNT,
} from './common.ts';
import { ListQueryOf, NumberText, PageOf, readListQuery } from './lists.ts';
import { Nothing, Version } from './memberRoutes.ts';
import { namesOf } from './memberShape.ts';
import { withHeader } from './membersAsCsv.ts';

const PATH = '/api/membership/groups';

const Serial = Type.Object({ serialno: NumberText });
const Groups = ListQueryOf(GROUP_SORTS, {});
const GroupAnswer = Type.Object({
  serialno: Type.Integer(),
  name: Type.String(),
  retentionDays: Type.Integer(),
  expiresAtMs: Type.Integer(),
  deviceGroups: Type.Array(Type.Integer()),
  people: Type.Integer(),
  version: Type.Integer(),
});
const MAX_RETENTION_DAYS = 36_500;
const LAST_MOMENT_MS = 253_402_300_799_999;
const content = {
  name: Type.String({ maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  retentionDays: Type.Integer({ minimum: 0, maximum: MAX_RETENTION_DAYS }),
  expiresAtMs: Type.Integer({ minimum: 0, maximum: LAST_MOMENT_MS }),
  deviceGroups: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 10_000, uniqueItems: true }),
};
const closed = { additionalProperties: false } as const;
const NewGroup = Type.Object(content, closed);
const ChangedGroup = Type.Object({ version: Type.Integer({ minimum: 1 }), ...content }, closed);
const Ids = Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 500, uniqueItems: true });
const People = Type.Object({ add: Ids, remove: Ids }, closed);

export const NO_GROUP = {
  status: 404,
  code: 'no-such-group',
  message: "Member group not found, or you don't have access to it.",
} as const;
const NEEDED = refusedFields({ name: 'required' });
const LEFT_OVER = {
  status: 403,
  code: 'device-groups-left-over',
  message: "Some of its device groups aren't yours. Add them to another member group first.",
} as const;

/** Member groups: list, add, change, remove, and who belongs to them. */
export async function registerGroups(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const groups = deps.memberGroupEditing;
  const within = (request: FastifyRequest) => groupScope(actorOf(callerOf(request)));

  routes.get(
    PATH,
    {
      schema: { summary: 'Member groups', querystring: Groups, response: answers(PageOf(GroupAnswer)) },
      config: MAY_RUN_MEMBERS,
    },
    async (request) => {
      const list = await groups.list({ ...readListQuery(request.query, 'name'), within: within(request) });
      return ok({ total: list.total, rows: list.rows.map(show) });
    },
  );

  routes.get(
    `${PATH}/csv`,
    {
      schema: { summary: 'Member groups as CSV', querystring: Groups, response: ErrorAnswers },
      config: MAY_RUN_MEMBERS,
    },
    async (request, reply) => {
      const names = await deviceGroupNamesOf(deps);
      const query = { ...readListQuery(request.query, 'name'), within: within(request) };
      const load = async (page: { readonly offset: number; readonly limit: number }) =>
        (await groups.list({ ...query, ...page })).rows;
      const header = ['name', 'people', 'device_groups', 'retention_days', 'expires'];
      const rows = allRows(load, (group) => lineOf(group, names));
      return sendCsv(reply, 'member-groups.csv', withHeader(header, rows));
    },
  );

  registerGroupChanges(app, deps);
  registerPeople(app, deps);
}

function registerGroupChanges(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const groups = deps.memberGroupEditing;
  const config = MAY_RUN_ACCOUNTS;

  routes.post(
    PATH,
    { schema: { summary: 'Adds a member group', body: NewGroup, response: answers(GroupAnswer) }, config },
    async (request, reply) => {
      const given = contentOf(request.body);
      if (given.name === '') return refuse(reply, NEEDED);
      const added = await groups.insert(given);
      if (!added.ok) return refuseChange(reply, added.reason, undefined);
      const after = factsOf(given, await deviceGroupNamesOf(deps));
      await note(request, deps, { action: 'membergroup.add', target: given.name, after });
      return ok(await shown(added.value, deps));
    },
  );

  routes.put(
    `${PATH}/:serialno`,
    {
      schema: { summary: 'Changes a member group', params: Serial, body: ChangedGroup, response: answers(GroupAnswer) },
      config,
    },
    async (request, reply) => {
      const serialno = Number(request.params.serialno);
      const given = contentOf(request.body);
      if (given.name === '') return refuse(reply, NEEDED);
      const which = { serialno, version: request.body.version };
      const done = await groups.update(which, given, shiftRuleOf(request));
      if (!done.ok) return refuseChange(reply, done.reason, await groups.find(serialno));
      const names = await deviceGroupNamesOf(deps);
      const facts = { before: factsOf(done.value, names), after: factsOf(given, names) };
      await note(request, deps, { action: 'membergroup.change', target: done.value.name, ...facts });
      return ok(await shown(serialno, deps));
    },
  );

  routes.delete(
    `${PATH}/:serialno`,
    {
      schema: { summary: 'Removes a member group', params: Serial, querystring: Version, response: answers(Nothing) },
      config,
    },
    async (request, reply) => {
      const serialno = Number(request.params.serialno);
      const which = { serialno, version: Number(request.query.version) };
      const done = await groups.remove(which, shiftRuleOf(request));
      if (!done.ok && done.reason === 'beyond-own') return refuse(reply, LEFT_OVER);
      if (!done.ok) return refuseChange(reply, done.reason, await groups.find(serialno));
      const before = factsOf(done.value, await deviceGroupNamesOf(deps));
      await note(request, deps, { action: 'membergroup.remove', target: done.value.name, before });
      return ok({});
    },
  );
}

function registerPeople(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const groups = deps.memberGroupEditing;

  routes.post(
    `${PATH}/:serialno/people`,
    {
      schema: { summary: 'Who belongs to a group', params: Serial, body: People, response: answers(GroupAnswer) },
      config: MAY_RUN_MEMBERS,
    },
    async (request, reply) => {
      const serialno = Number(request.params.serialno);
      const { add, remove } = request.body;
      const actor = actorOf(callerOf(request));
      const group = await groups.find(serialno);
      const isSeen = groupScope(actor)?.includes(serialno) ?? true;
      if (group === undefined || !isSeen) return refuse(reply, NO_GROUP);
      const people = await placeable([...add, ...remove], actor, deps);
      if ('status' in people) return refuse(reply, people);
      await groups.addPeople(serialno, add);
      await groups.removePeople(serialno, remove);
      const detail = { added: namesOf(add, people), removed: namesOf(remove, people) };
      await note(request, deps, { action: 'membergroup.people', target: group.name, detail });
      return ok(await shown(serialno, deps));
    },
  );
}

function answers<Data extends Type.TSchema>(data: Data) {
  return { 200: EnvelopeOf(data), ...ErrorAnswers };
}

/** The user names of these members; or why the caller may not put all of them in and out of groups. */
async function placeable(
  ids: readonly number[],
  actor: Actor,
  deps: MembershipDeps,
): Promise<ReadonlyMap<number, string> | Refusal> {
  const names = new Map<number, string>();
  for (const id of ids) {
    const member = await deps.members.find(id);
    if (member === undefined || !sees(actor, member)) return NO_MEMBER;
    if (id === actor.id && !isAdministrator(actor)) return OWN_ACCOUNT;
    if (!mayPlace(actor, member)) return BEYOND_OWN;
    names.set(id, member.username);
  }
  return names;
}

async function deviceGroupNamesOf({ deviceGroups }: MembershipDeps): Promise<ReadonlyMap<number, string>> {
  return new Map((await deviceGroups.list()).map(({ serialno, name }) => [serialno, name]));
}

/** For the audit. */
function factsOf(group: Parameters<typeof contentOf>[0], names: ReadonlyMap<number, string>) {
  const { name, retentionDays, expiresAtMs, deviceGroups } = contentOf(group);
  return { name, retentionDays, expiresAtMs, deviceGroups: namesOf(deviceGroups, names) };
}

function refuseChange(reply: FastifyReply, reason: GroupRefusal, current: EditedGroup | undefined): FastifyReply {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_GROUP);
    case 'conflict':
      return refuse(reply, conflictWith(current));
    case 'taken':
      return refuse(reply, { ...refusedFields({ name: 'taken' }), status: 409 });
    case 'no-device-group':
      return refuse(reply, refusedFields({ deviceGroups: 'unknown' }));
    case 'beyond-own':
      return refuse(reply, refusedFields({ deviceGroups: 'device-group-not-yours' }));
  }
}

function shiftRuleOf(request: FastifyRequest): ShiftRule {
  const actor = actorOf(callerOf(request));
  return (shift) => mayShiftDeviceGroups(actor, shift);
}

function contentOf(
  group: Omit<EditedGroup, 'expiresAtMs' | 'serialno' | 'people' | 'version'> & { expiresAtMs: number },
) {
  const { name, retentionDays, expiresAtMs, deviceGroups } = group;
  const order = [...deviceGroups].sort((a, b) => a - b);
  return { name: name.trim(), retentionDays, expiresAtMs: wallMs(expiresAtMs), deviceGroups: order };
}

async function shown(serialno: number, { memberGroupEditing }: MembershipDeps) {
  const group = await memberGroupEditing.find(serialno);
  if (group === undefined) throw new Error(`the member group ${serialno} is gone`);
  return show(group);
}

function show(group: EditedGroup) {
  return { ...group, deviceGroups: [...group.deviceGroups] };
}

function lineOf(group: EditedGroup, names: ReadonlyMap<number, string>) {
  const deviceGroups = group.deviceGroups.map((each) => names.get(each) ?? String(each)).join('; ');
  const expires = csvTimestamp(group.expiresAtMs);
  return [group.name, String(group.people), deviceGroups, String(group.retentionDays), expires];
}
