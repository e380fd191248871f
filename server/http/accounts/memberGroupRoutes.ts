import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ChangedGroup,
  EditedGroup,
  GROUP_SORTS,
  GROUPS_PATH,
  GroupContent,
} from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { groupScope, mayShiftDeviceGroups } from '../../auth/membershipRules.ts';
import type { GroupRefusal, ShiftRule, StoredGroupContent } from '../../store/accounts/memberGroupEditing.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { conflictWith, ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import {
  actorOf,
  deviceGroupNamesOf,
  findShownGroup,
  joinedNames,
  MAY_RUN_ACCOUNTS,
  MAY_RUN_MEMBERS,
  type MembershipDeps,
  namesOf,
  SerialParams,
  VersionQuery,
} from './common.ts';
import { registerGroupPeople } from './memberGroupPeople.ts';
import { NAME_TAKEN, NO_MEMBER_GROUP } from './refusals.ts';

const NEEDED = refusedFields({ name: 'required' });
const LEFT_OVER = {
  status: 403,
  code: 'device-groups-left-over',
  message: "Some of its device groups aren't yours. Add them to another member group first.",
} as const;

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
  const config = MAY_RUN_ACCOUNTS;
  const params = SerialParams;
  const path = `${GROUPS_PATH}/:serialno`;

  const adding = { summary: 'Adds a member group', body: GroupContent, response: answers(EditedGroup) };
  routes.post(GROUPS_PATH, { schema: adding, config }, (request, reply) => addGroup(request, reply, deps));

  const changing = { summary: 'Changes a member group', params, body: ChangedGroup, response: answers(EditedGroup) };
  routes.put(path, { schema: changing, config }, (request, reply) => changeGroup(request, reply, deps));

  const removing = { summary: 'Removes a member group', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, (request, reply) => removeGroup(request, reply, deps));
}

type Adding = FastifyRequest & { readonly body: GroupContent };

async function addGroup(request: Adding, reply: FastifyReply, deps: MembershipDeps) {
  const given = contentOf(request.body);
  if (given.name === '') return refuse(reply, NEEDED);
  const added = await deps.memberGroupEditing.insert(given);
  if (!added.ok) return refuseChange(reply, added.reason, undefined);
  const after = auditFieldsOf(given, await deviceGroupNamesOf(deps));
  await recordAudit(request, { action: 'membergroup.add', target: given.name, after });
  return ok(await findShownGroup(added.value, deps));
}

type Changing = FastifyRequest & {
  readonly body: GroupContent & { readonly version: number };
  readonly params: { readonly serialno: string };
};

async function changeGroup(request: Changing, reply: FastifyReply, deps: MembershipDeps) {
  const serialno = Number(request.params.serialno);
  const given = contentOf(request.body);
  if (given.name === '') return refuse(reply, NEEDED);
  const groups = deps.memberGroupEditing;
  const done = await groups.update({ serialno, version: request.body.version }, given, shiftRuleOf(request));
  if (!done.ok) return refuseChange(reply, done.reason, await groups.find(serialno));
  const names = await deviceGroupNamesOf(deps);
  const before = auditFieldsOf(done.value, names);
  const after = auditFieldsOf(given, names);
  await recordAudit(request, { action: 'membergroup.change', target: done.value.name, before, after });
  return ok(await findShownGroup(serialno, deps));
}

type Removing = FastifyRequest<{ Params: { serialno: string }; Querystring: { version: string } }>;

async function removeGroup(request: Removing, reply: FastifyReply, deps: MembershipDeps) {
  const serialno = Number(request.params.serialno);
  const groups = deps.memberGroupEditing;
  const done = await groups.remove({ serialno, version: Number(request.query.version) }, shiftRuleOf(request));
  if (!done.ok && done.reason === 'beyond-own') return refuse(reply, LEFT_OVER);
  if (!done.ok) return refuseChange(reply, done.reason, await groups.find(serialno));
  const before = auditFieldsOf(done.value, await deviceGroupNamesOf(deps));
  await recordAudit(request, { action: 'membergroup.remove', target: done.value.name, before });
  return ok({});
}

function refuseChange(reply: FastifyReply, reason: GroupRefusal, current: EditedGroup | undefined): FastifyReply {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_MEMBER_GROUP);
    case 'conflict':
      return refuse(reply, conflictWith(current));
    case 'taken':
      return refuse(reply, NAME_TAKEN);
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

function contentOf({ name, retentionDays, expiresAtMs, deviceGroups }: GroupContent): StoredGroupContent {
  const ordered = [...deviceGroups].sort((a, b) => a - b);
  return { name: name.trim(), retentionDays, expiresAtMs: wallMs(expiresAtMs), deviceGroups: ordered };
}

function auditFieldsOf(
  { name, retentionDays, expiresAtMs, deviceGroups }: GroupContent,
  names: ReadonlyMap<number, string>,
) {
  return { name, retentionDays, expiresAtMs, deviceGroups: namesOf(deviceGroups, names) };
}
