import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  DEVICE_GROUPS_PATH,
  EditedGroup,
  GroupIdParams,
  GroupNode,
  GroupPlace,
  GroupRemoval,
  GroupTree,
} from '../../../shared/protocol/api/deviceGroups.ts';
import { MovedDevices } from '../../../shared/protocol/api/devices.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { groupNameFault } from '../../../shared/protocol/deviceRules.ts';
import type { GroupRemoved, TreeAnswer, TreeGroup, GroupPlace as TreePlace } from '../../store/devices/deviceTree.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, type Refusal, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { groupPath } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { branchOf, ROUTE_CONFIG as config, type DeviceReach, deviceReachOf, NO_GROUP } from './scope.ts';

const NOT_EMPTY = {
  status: 409,
  code: 'not-empty',
  message: 'The group still has devices. Select a group to move them to.',
} as const;

/** `/api/devicegroup/groups`: the tree of groups. */
export async function registerGroups(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  registerTree(app, deps);
  registerChanges(app, deps);
  registerRemoval(app, deps);
  registerClaim(app, deps);
}

function registerTree(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(GroupTree);
  const schema = { summary: 'The tree of device groups', response };
  routes.get(DEVICE_GROUPS_PATH, { schema, config }, async (request) => {
    const [reach, counts] = await Promise.all([deviceReachOf(deps, request), deps.stores.deviceTree.deviceCounts()]);
    const { memberGroup = null, groups } = reach;
    const nodes = groups.map((group) => toNode(group, reach, counts));
    return ok({ memberGroup, groups: nodes, ungrouped: counts.get(null) ?? 0 });
  });
}

function registerChanges(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { deviceTree } = deps.stores;
  const response = answers(GroupNode);
  const adding = { summary: 'Adds a device group', body: GroupPlace, response };
  routes.post(DEVICE_GROUPS_PATH, { schema: adding, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const place = placeOf(request.body, reach);
    if ('status' in place) return refuse(reply, place);
    const answer = await deviceTree.add(place, reach.memberGroup?.serialno);
    if (!answer.ok) return refuseChange(reply, answer, { deps, request });
    const { name, parent } = answer.group;
    const after = { name, parent: groupPath(reach.groups, parent) };
    await recordAudit(request, { action: 'devicegroup.add', target: name, after });
    return ok(toNode(answer.group, reach, await deviceTree.deviceCounts()));
  });

  const changing = { summary: 'Renames or moves a device group', params: GroupIdParams, body: EditedGroup, response };
  routes.put(`${DEVICE_GROUPS_PATH}/:id`, { schema: changing, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const before = reach.groups.find(({ serialno }) => serialno === Number(request.params.id));
    if (before === undefined) return refuse(reply, NO_GROUP);
    const place = placeOf(keepingHiddenParent(request.body, before, reach), reach, before.parent);
    if ('status' in place) return refuse(reply, place);
    const { version } = request.body;
    const answer = await deviceTree.change({ serialno: before.serialno, version }, place);
    if (!answer.ok) return refuseChange(reply, answer, { deps, request, serialno: before.serialno });
    const was = { name: before.name, parent: groupPath(reach.groups, before.parent) };
    const is = { name: answer.group.name, parent: groupPath(reach.groups, answer.group.parent) };
    await recordAudit(request, { action: 'devicegroup.change', target: before.name, before: was, after: is });
    return ok(toNode(answer.group, reach, await deviceTree.deviceCounts()));
  });
}

function registerRemoval(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(MovedDevices);
  const schema = { summary: 'Deletes a device group', params: GroupIdParams, querystring: GroupRemoval, response };
  routes.delete(`${DEVICE_GROUPS_PATH}/:id`, { schema, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const group = reach.groups.find(({ serialno }) => serialno === Number(request.params.id));
    if (group === undefined) return refuse(reply, NO_GROUP);
    const branch = branchOf(reach.groups, group.serialno);
    const { version, moveto } = request.query;
    const moveTo = moveto === undefined ? undefined : Number(moveto);
    if (moveTo !== undefined && (!reach.ids.has(moveTo) || branch.includes(moveTo))) {
      return refuse(reply, refusedFields({ moveto: 'unknown' }));
    }
    const removal = { serialno: group.serialno, version: Number(version), moveTo, atMs: deps.now() };
    const removed = await deps.stores.deviceTree.remove(branch, removal);
    if (!removed.ok) return refuseChange(reply, removed, { deps, request, serialno: group.serialno });
    const words = {
      groups: branch.map((each) => groupPath(reach.groups, each)),
      moveTo: groupPath(reach.groups, moveTo),
    };
    const before = { name: group.name, parent: groupPath(reach.groups, group.parent) };
    const detail = { ...words, devices: removed.moved };
    await recordAudit(request, { action: 'devicegroup.remove', target: group.name, before, detail });
    return ok({ moved: removed.moved.length });
  });
}

function registerClaim(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(Nothing);
  const schema = { summary: 'Takes groups of nobody into the own member group', params: GroupIdParams, response };
  routes.post(`${DEVICE_GROUPS_PATH}/:id/claim`, { schema, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const serialno = Number(request.params.id);
    if (!reach.ids.has(serialno)) return refuse(reply, NO_GROUP);
    if (reach.memberGroup === undefined) return refuse(reply, Refused.noMemberGroup);
    const branch = branchOf(reach.groups, serialno);
    await deps.stores.deviceTree.claim(branch, reach.memberGroup.serialno);
    const groups = branch.map((each) => groupPath(reach.groups, each));
    const target = reach.groups.find((group) => group.serialno === serialno)?.name ?? '';
    await recordAudit(request, {
      action: 'devicegroup.claim',
      target,
      detail: { memberGroup: reach.memberGroup.name, groups },
    });
    return ok({});
  });
}

function placeOf(given: GroupPlace, reach: DeviceReach, presentParent?: number): TreePlace | Refusal {
  const name = given.name.trim();
  const fault = groupNameFault(name);
  if (fault !== undefined) return refusedFields({ name: fault });
  const { parent } = given;
  if (parent !== null && parent !== presentParent && !reach.ids.has(parent))
    return refusedFields({ parent: 'unknown' });
  return { name, parent: parent ?? undefined, before: given.before ?? undefined, among: [...reach.ids] };
}

/** For the caller it is at the top; renaming must not take it out of the group where other readers see it. */
function keepingHiddenParent(given: GroupPlace, { parent }: TreeGroup, { ids }: DeviceReach): GroupPlace {
  const isHidden = parent !== undefined && !ids.has(parent);
  return isHidden && given.parent === null && given.before === undefined ? { ...given, parent } : given;
}

type Failure = Extract<TreeAnswer | GroupRemoved, { ok: false }>;

interface Requested {
  readonly deps: DeviceGroupDeps;
  readonly request: FastifyRequest;
  readonly serialno?: number;
}

async function refuseChange(reply: FastifyReply, { reason }: Failure, query: Requested): Promise<FastifyReply> {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_GROUP);
    case 'conflict':
      return refuse(reply, conflictWith(await currentNode(query)));
    case 'not-empty':
      return refuse(reply, NOT_EMPTY);
    case 'name-taken':
      return refuse(reply, refusedFields({ name: 'taken' }));
    case 'cycle':
      return refuse(reply, refusedFields({ parent: 'not-allowed' }));
    case 'no-parent':
      return refuse(reply, refusedFields({ parent: 'unknown' }));
  }
}

async function currentNode({ deps, request, serialno }: Requested): Promise<GroupNode | null> {
  const [reach, counts] = await Promise.all([deviceReachOf(deps, request), deps.stores.deviceTree.deviceCounts()]);
  const current = reach.groups.find((group) => group.serialno === serialno);
  return current === undefined ? null : toNode(current, reach, counts);
}

type Counts = ReadonlyMap<number | null, number>;

function toNode(
  { serialno, parent, name, version, owned }: TreeGroup,
  { ids }: DeviceReach,
  counts: Counts,
): GroupNode {
  const shown = parent === undefined || !ids.has(parent) ? null : parent;
  return { id: serialno, name, parent: shown, version, devices: counts.get(serialno) ?? 0, owned };
}
