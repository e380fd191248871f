import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { GroupNode } from '../../../shared/protocol/api/devices.ts';
import { groupNameFault } from '../../../shared/protocol/deviceRules.ts';
import type { GroupPlace, GroupRemoved, TreeAnswer, TreeGroup } from '../../store/devices/deviceTree.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';
import { difference, groupPath, recordAudit } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { EditedGroup, Empty, GroupFields, GroupId, Node, Tree, Version } from './schemas.ts';
import { branchOf, type CallerScope, callerScope, ACCESS as config } from './scope.ts';

const NO_GROUP = {
  status: 404,
  code: 'no-such-devicegroup',
  message: "Device group not found, or you don't have access to it.",
} as const;
const NOT_EMPTY = {
  status: 409,
  code: 'not-empty',
  message: 'The group still has devices. Select a group to move them to.',
} as const;
const NO_MEMBER_GROUP = {
  status: 409,
  code: 'no-member-group',
  message: 'You need to be in a member group first.',
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
  const response = { 200: EnvelopeOf(Tree), ...ErrorAnswers };
  const schema = { summary: 'The tree of device groups', response };
  routes.get('/api/devicegroup/groups', { schema, config }, async (request) => {
    const [scope, counts] = await Promise.all([callerScope(deps, request), deps.stores.deviceTree.deviceCounts()]);
    const { memberGroup = null, groups } = scope;
    const nodes = groups.map((group) => toNode(group, scope, counts));
    return ok({ memberGroup, groups: nodes, ungrouped: counts.get(null) ?? 0 });
  });
}

function registerChanges(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { deviceTree } = deps.stores;
  const response = { 200: EnvelopeOf(Node), ...ErrorAnswers };
  const adding = { summary: 'Adds a device group', body: GroupFields, response };
  routes.post('/api/devicegroup/groups', { schema: adding, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const place = placeOf(request.body, scope);
    if ('fields' in place) return refuse(reply, { ...Refused.fields, data: place });
    const answer = await deviceTree.add(place, scope.memberGroup?.serialno);
    if (!answer.ok) return refuseChange(reply, answer, { deps, request });
    const { name, parent } = answer.group;
    const after = { name, parent: groupPath(scope.groups, parent) };
    await recordAudit(deps, request, { action: 'devicegroup.add', target: name, after });
    return ok(toNode(answer.group, scope, await deviceTree.deviceCounts()));
  });

  const changing = { summary: 'Renames or moves a device group', params: GroupId, body: EditedGroup, response };
  routes.put('/api/devicegroup/groups/:id', { schema: changing, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const before = scope.groups.find(({ serialno }) => serialno === Number(request.params.id));
    if (before === undefined) return refuse(reply, NO_GROUP);
    const place = placeOf(keepingHiddenParent(request.body, before, scope), scope, before.parent);
    if ('fields' in place) return refuse(reply, { ...Refused.fields, data: place });
    const { version } = request.body;
    const answer = await deviceTree.change({ serialno: before.serialno, version }, place);
    if (!answer.ok) return refuseChange(reply, answer, { deps, request, serialno: before.serialno });
    const was = { name: before.name, parent: groupPath(scope.groups, before.parent) };
    const is = { name: answer.group.name, parent: groupPath(scope.groups, answer.group.parent) };
    await recordAudit(deps, request, { action: 'devicegroup.change', target: before.name, ...difference(was, is) });
    return ok(toNode(answer.group, scope, await deviceTree.deviceCounts()));
  });
}

const RemovalQuery = Type.Object({
  version: Version,
  /** Where its devices, and those of the groups beneath it, go. */
  moveto: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}$' })),
});

function registerRemoval(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Type.Object({ moved: Type.Integer() })), ...ErrorAnswers };
  const schema = { summary: 'Deletes a device group', params: GroupId, querystring: RemovalQuery, response };
  routes.delete('/api/devicegroup/groups/:id', { schema, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const group = scope.groups.find(({ serialno }) => serialno === Number(request.params.id));
    if (group === undefined) return refuse(reply, NO_GROUP);
    const branch = branchOf(scope.groups, group.serialno);
    const { version, moveto } = request.query;
    const moveTo = moveto === undefined ? undefined : Number(moveto);
    if (moveTo !== undefined && (!scope.ids.has(moveTo) || branch.includes(moveTo))) {
      return refuse(reply, { ...Refused.fields, data: { fields: { moveto: 'unknown' } } });
    }
    const removal = { serialno: group.serialno, version: Number(version), moveTo, atMs: deps.now() };
    const removed = await deps.stores.deviceTree.remove(branch, removal);
    if (!removed.ok) return refuseChange(reply, removed, { deps, request, serialno: group.serialno });
    const words = {
      groups: branch.map((each) => groupPath(scope.groups, each)),
      moveTo: groupPath(scope.groups, moveTo),
    };
    const before = { name: group.name, parent: groupPath(scope.groups, group.parent) };
    const detail = { ...words, devices: removed.moved };
    await recordAudit(deps, request, { action: 'devicegroup.remove', target: group.name, before, detail });
    return ok({ moved: removed.moved.length });
  });
}

function registerClaim(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Empty), ...ErrorAnswers };
  const schema = { summary: 'Takes groups of nobody into the own member group', params: GroupId, response };
  routes.post('/api/devicegroup/groups/:id/claim', { schema, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const serialno = Number(request.params.id);
    if (!scope.ids.has(serialno)) return refuse(reply, NO_GROUP);
    if (scope.memberGroup === undefined) return refuse(reply, NO_MEMBER_GROUP);
    const branch = branchOf(scope.groups, serialno);
    await deps.stores.deviceTree.claim(branch, scope.memberGroup.serialno);
    const groups = branch.map((each) => groupPath(scope.groups, each));
    const target = scope.groups.find((group) => group.serialno === serialno)?.name ?? '';
    await recordAudit(deps, request, {
      action: 'devicegroup.claim',
      target,
      detail: { memberGroup: scope.memberGroup.name, groups },
    });
    return ok({});
  });
}

interface GivenPlace {
  readonly name: string;
  readonly parent: number | null;
  readonly before?: number | null;
}

type Place = GroupPlace | { readonly fields: Record<string, string> };

function placeOf(given: GivenPlace, scope: CallerScope, presentParent?: number): Place {
  const name = given.name.trim();
  const fault = groupNameFault(name);
  if (fault !== undefined) return { fields: { name: fault } };
  const { parent } = given;
  if (parent !== null && parent !== presentParent && !scope.ids.has(parent)) return { fields: { parent: 'unknown' } };
  return { name, parent: parent ?? undefined, before: given.before ?? undefined, among: [...scope.ids] };
}

/** To the caller it lies at the top; renaming it must not take it out of the group that its other readers see it in. */
function keepingHiddenParent(given: GivenPlace, { parent }: TreeGroup, { ids }: CallerScope): GivenPlace {
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
      return refuse(reply, { ...Refused.conflict, data: { current: await currentNode(query) } });
    case 'not-empty':
      return refuse(reply, NOT_EMPTY);
    case 'name-taken':
      return refuse(reply, { ...Refused.fields, data: { fields: { name: 'taken' } } });
    case 'cycle':
      return refuse(reply, { ...Refused.fields, data: { fields: { parent: 'not-allowed' } } });
    case 'no-parent':
      return refuse(reply, { ...Refused.fields, data: { fields: { parent: 'unknown' } } });
  }
}

async function currentNode({ deps, request, serialno }: Requested): Promise<GroupNode | null> {
  const [scope, counts] = await Promise.all([callerScope(deps, request), deps.stores.deviceTree.deviceCounts()]);
  const current = scope.groups.find((group) => group.serialno === serialno);
  return current === undefined ? null : toNode(current, scope, counts);
}

type Counts = ReadonlyMap<number | null, number>;

function toNode(
  { serialno, parent, name, version, owned }: TreeGroup,
  { ids }: CallerScope,
  counts: Counts,
): GroupNode {
  const shown = parent === undefined || !ids.has(parent) ? null : parent;
  return { id: serialno, name, parent: shown, version, devices: counts.get(serialno) ?? 0, owned };
}
