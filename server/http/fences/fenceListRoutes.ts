// Fences: the list, one of them, and changes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedFence,
  FENCE_SORTS,
  FENCES_PATH,
  Fence,
  FenceContent,
  FenceFilters,
} from '../../../shared/protocol/api/fences/fences.ts';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import type { FenceChange } from '../../store/fences/fences.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { faultsOfFence, storedContent } from './fenceChecks.ts';
import {
  MAY_CONFIGURE_FENCES as config,
  FENCE_BYTES_LIMIT,
  type FenceDeps,
  NO_FENCE,
  refusalOfFull,
} from './fenceDeps.ts';
import { auditFieldsOfFence, FENCE_CSV_COLUMNS, fenceCells, haveSameShape, toFence } from './fenceRows.ts';

const params = Type.Object({ id: IdText });
const path = `${FENCES_PATH}/:id`;
const bodyLimit = FENCE_BYTES_LIMIT.max;

/** `/api/fence/fences`. */
export function registerFences(app: FastifyInstance, deps: FenceDeps): void {
  registerReading(app, deps);
  registerAdding(app, deps);
  registerChanging(app, deps);
  registerRemoving(app, deps);
}

function registerReading(app: FastifyInstance, { stores }: FenceDeps): void {
  listRoutes(app, {
    path: FENCES_PATH,
    summary: 'Geofences',
    access: config.access,
    row: Fence,
    sorts: FENCE_SORTS,
    order: { sort: 'name', descending: false },
    filters: FenceFilters,
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async ({ filters, ...query }, memberGroup) => {
      const page = await stores.fences.page({ ...query, kind: filters.kind, memberGroup });
      return page && { ...page, rows: page.rows.map(toFence) };
    },
    csv: { fileName: 'geofences.csv', columns: FENCE_CSV_COLUMNS, cells: () => fenceCells },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A geofence', params, response: answers(Fence) };
  routes.get(path, { schema, config }, async (request, reply) => {
    const fence = await stores.fences.find(Number(request.params.id), scopeOf(callerOf(request)).memberGroup);
    return fence === undefined ? refuse(reply, NO_FENCE) : ok(toFence(fence));
  });
}

function registerAdding(app: FastifyInstance, deps: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a geofence', body: FenceContent, response: answers(Fence) };
  routes.post(FENCES_PATH, { schema, config: { ...config, addsToGroup: true }, bodyLimit }, async (request, reply) => {
    const refusal = await refusalOfFence(request, request.body, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const { memberGroup } = scopeOf(callerOf(request));
    const added = await deps.stores.fences.insert(memberGroup, changeOf(request, request.body, deps));
    if (!added.ok) return refuse(reply, refusalOfFull(added.reason));
    const { content } = added.value;
    const after = auditFieldsOfFence(content);
    await recordAudit(request, { action: 'fence.add', target: content.name, after });
    deps.bus.listChanged.tell({ list: 'fences', memberGroup });
    return ok(toFence(added.value));
  });
}

function registerChanging(app: FastifyInstance, deps: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Changes a geofence', params, body: ChangedFence, response: answers(Fence) };
  routes.put(path, { schema, config, bodyLimit }, async (request, reply) => {
    const { version, ...content } = request.body;
    const id = Number(request.params.id);
    const { memberGroup } = scopeOf(callerOf(request));
    if ((await deps.stores.fences.find(id, memberGroup)) === undefined) return refuse(reply, NO_FENCE);
    const refusal = await refusalOfFence(request, content, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const named = { id, memberGroup, version };
    const done = await deps.stores.fences.update(named, changeOf(request, content, deps));
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { before, after } = done.value;
    await recordAudit(request, {
      action: 'fence.change',
      target: after.content.name,
      before: auditFieldsOfFence(before.content),
      after: auditFieldsOfFence(after.content),
      detail: haveSameShape(before.content, after.content) ? undefined : { changed: ['geometry'] },
    });
    deps.bus.listChanged.tell({ list: 'fences', memberGroup });
    return ok(toFence(after));
  });
}

function registerRemoving(app: FastifyInstance, deps: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Deletes a geofence', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version: Number(request.query.version) };
    const done = await deps.stores.fences.remove(named);
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { content } = done.value;
    await recordAudit(request, { action: 'fence.remove', target: content.name, before: auditFieldsOfFence(content) });
    deps.bus.listChanged.tell({ list: 'fences', memberGroup });
    return ok({});
  });
}

/** Undefined where nothing is wrong. */
export async function refusalOfFence(
  request: FastifyRequest,
  content: FenceContent,
  { stores }: { readonly stores: Pick<FenceDeps['stores'], 'fenceReach'> },
): Promise<Refusal | undefined> {
  const { memberGroup } = scopeOf(callerOf(request));
  const [deviceGroups, devices] = await Promise.all([
    stores.fenceReach.deviceGroups(memberGroup),
    stores.fenceReach.devices(memberGroup, content.devices),
  ]);
  const faults = faultsOfFence(content, {
    deviceGroups: new Set(deviceGroups),
    devices: new Set(devices.map(({ deviceId }) => deviceId)),
  });
  return Object.keys(faults).length === 0 ? undefined : refusedFields(faults);
}

function changeOf(request: FastifyRequest, content: FenceContent, { now }: Pick<FenceDeps, 'now'>): FenceChange {
  return { content: storedContent(content), by: callerOf(request).user.username, atMs: now() };
}

interface Refused {
  readonly named: { readonly id: number; readonly memberGroup: number };
  readonly deps: FenceDeps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict' | 'too-many' | 'too-many-vertices',
  { named, deps }: Refused,
): Promise<FastifyReply> {
  if (reason === 'gone') return refuse(reply, NO_FENCE);
  if (reason !== 'conflict') return refuse(reply, refusalOfFull(reason));
  const current = await deps.stores.fences.find(named.id, named.memberGroup);
  return refuse(reply, conflictWith(current === undefined ? null : toFence(current)));
}
