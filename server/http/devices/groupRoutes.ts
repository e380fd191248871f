import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import {
  createDeviceGroupActs,
  type DeviceGroupActs,
  type DeviceGroupRefusal,
} from '../../devices/acts/deviceGroups.ts';
import { branchOf, type DeviceReach, groupPath } from '../../devices/reach.ts';
import type { TreeGroup } from '../../store/devices/deviceTree.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, type Refusal, Refused, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, contentRefusal } from '../kernel/records/recordRoutes.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { ACT_CONFIG, ROUTE_CONFIG as config, deviceReachOf, NO_GROUP } from './scope.ts';

const NOT_EMPTY = {
  status: 409,
  code: 'not-empty',
  message: 'The group still has devices. Select a group to move them to.',
} as const;

/** `/api/devicegroup/groups`: the tree of groups. */
export async function registerGroups(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const { stores, bus, now } = deps;
  const acts = createDeviceGroupActs({ store: stores.deviceTree, audit: stores.audit, bus, now });
  registerTree(app, deps);
  registerChanges(app, { deps, acts });
  registerRemoval(app, { deps, acts });
  registerClaim(app, deps);
}

interface Acting {
  readonly deps: DeviceGroupDeps;
  readonly acts: DeviceGroupActs;
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

function registerChanges(app: FastifyInstance, { deps, acts }: Acting): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(GroupNode);
  const adding = { summary: 'Adds a device group', body: GroupPlace, response };
  routes.post(DEVICE_GROUPS_PATH, { schema: adding, config: ACT_CONFIG }, async (request, reply) => {
    const done = await acts.add(actorOf(request), request.body);
    const toNode = await nodesFor(deps, request);
    return done.ok ? ok(toNode(done.value)) : refuse(reply, refusalOfGroup(done.reason, toNode));
  });

  const changing = { summary: 'Renames or moves a device group', params: GroupIdParams, body: EditedGroup, response };
  routes.put(`${DEVICE_GROUPS_PATH}/:id`, { schema: changing, config: ACT_CONFIG }, async (request, reply) => {
    const { version, ...place } = request.body;
    const done = await acts.change(actorOf(request), { id: Number(request.params.id), version }, place);
    const toNode = await nodesFor(deps, request);
    return done.ok ? ok(toNode(done.value)) : refuse(reply, refusalOfGroup(done.reason, toNode));
  });
}

function registerRemoval(app: FastifyInstance, { deps, acts }: Acting): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(MovedDevices);
  const schema = { summary: 'Deletes a device group', params: GroupIdParams, querystring: GroupRemoval, response };
  routes.delete(`${DEVICE_GROUPS_PATH}/:id`, { schema, config: ACT_CONFIG }, async (request, reply) => {
    const { version, moveto } = request.query;
    const named = { id: Number(request.params.id), version: Number(version) };
    const done = await acts.remove(actorOf(request), named, moveto === undefined ? undefined : Number(moveto));
    if (done.ok) return ok({ moved: done.value.length });
    return refuse(reply, refusalOfGroup(done.reason, await nodesFor(deps, request)));
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

/** `toNode`: shows the group as it is by now. */
export function refusalOfGroup(
  refused: DeviceGroupRefusal,
  toNode: (group: TreeGroup) => GroupNode | null = () => null,
): Refusal {
  switch (refused.kind) {
    case 'gone':
      return NO_GROUP;
    case 'conflict':
      return conflictWith(refused.current === undefined ? null : toNode(refused.current));
    case 'not-empty':
      return NOT_EMPTY;
    case 'fields':
    case 'own':
      return contentRefusal(refused, {});
  }
}

/** Shows groups as the caller sees them. */
async function nodesFor(deps: DeviceGroupDeps, request: FastifyRequest): Promise<(group: TreeGroup) => GroupNode> {
  const [reach, counts] = await Promise.all([deviceReachOf(deps, request), deps.stores.deviceTree.deviceCounts()]);
  return (group) => toNode(group, reach, counts);
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
