import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  ChangedGroup,
  EditedGroup,
  GROUP_SORTS,
  GROUPS_PATH,
  GroupContent,
} from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { deviceGroupNamesOf } from '../../auth/acts/groupNames.ts';
import { createMemberGroupActs, type MemberGroupRefusal } from '../../auth/acts/memberGroups.ts';
import { groupScope } from '../../auth/membershipRules.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { actorOf as whoActs } from '../kernel/records/recordRoutes.ts';
import { refusalOfAct } from './actRefusals.ts';
import {
  actorOf,
  joinedNames,
  MAY_RUN_MEMBERS,
  type MembershipDeps,
  SerialParams,
  TOLD_ACCOUNTS_ACT,
  VersionQuery,
} from './common.ts';
import { registerGroupPeople } from './memberGroupPeople.ts';
import { NO_MEMBER_GROUP } from './refusals.ts';

/** Member groups: list, add, change, remove, and who belongs to them. */
export function registerGroups(app: FastifyInstance, deps: MembershipDeps): void {
  registerGroupList(app, deps);
  registerGroupChanges(app, deps);
  registerGroupPeople(app, deps);
}

function registerGroupList(app: FastifyInstance, deps: MembershipDeps): void {
  listRoutes(app, {
    path: GROUPS_PATH,
    summary: 'Member groups',
    access: MAY_RUN_MEMBERS.access,
    row: EditedGroup,
    sorts: GROUP_SORTS,
    order: { sort: 'name', descending: false },
    filters: {},
    scope: (request) => groupScope(actorOf(callerOf(request))),
    load: (query, within) => deps.memberGroupEditing.page({ ...query, within }),
    csv: { fileName: 'member-groups.csv', columns: CSV_COLUMNS, cells: () => cellsFor(deps) },
  });
}

const CSV_COLUMNS = ['name', 'people', 'device_groups', 'retention_days', 'expires'];

async function cellsFor(deps: MembershipDeps): Promise<(group: EditedGroup) => CsvRow> {
  const names = await deviceGroupNamesOf(deps);
  return (group) => [
    group.name,
    String(group.people),
    joinedNames(group.deviceGroups, names),
    String(group.retentionDays),
    csvTimestamp(group.expiresAtMs),
  ];
}

function registerGroupChanges(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const acts = createMemberGroupActs(deps);
  const config = TOLD_ACCOUNTS_ACT;
  const params = SerialParams;
  const path = `${GROUPS_PATH}/:serialno`;

  const adding = { summary: 'Adds a member group', body: GroupContent, response: answers(EditedGroup) };
  routes.post(GROUPS_PATH, { schema: adding, config }, async (request, reply) => {
    const done = await acts.add(whoActs(request), request.body);
    return done.ok ? ok(done.value) : refuseAct(reply, done.reason);
  });

  const changing = { summary: 'Changes a member group', params, body: ChangedGroup, response: answers(EditedGroup) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const done = await acts.change(whoActs(request), { id: Number(request.params.serialno), version }, content);
    return done.ok ? ok(done.value) : refuseAct(reply, done.reason);
  });

  const removing = { summary: 'Removes a member group', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.serialno), version: Number(request.query.version) };
    const done = await acts.remove(whoActs(request), named);
    return done.ok ? ok({}) : refuseAct(reply, done.reason);
  });
}

function refuseAct(reply: FastifyReply, reason: MemberGroupRefusal): FastifyReply {
  const current = reason.kind === 'conflict' ? reason.current : undefined;
  return refuse(reply, refusalOfAct(reason, NO_MEMBER_GROUP, current));
}
