// Fences: the list, one of them, and changes.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
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
import { createFenceActs, type FenceRefusal } from '../../fences/acts/fences.ts';
import type { StoredFence } from '../../store/fences/fences.ts';
import type { Outcome } from '../../store/outcome.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { actorOf } from '../kernel/records/recordRoutes.ts';
import {
  MAY_CONFIGURE_FENCES as config,
  FENCE_BYTES_LIMIT,
  type FenceDeps,
  NO_FENCE,
  refusalOfFence,
} from './fenceDeps.ts';
import { FENCE_CSV_COLUMNS, fenceCells, toFence } from './fenceRows.ts';

const params = Type.Object({ id: IdText });
const path = `${FENCES_PATH}/:id`;
const bodyLimit = FENCE_BYTES_LIMIT.max;

/** `/api/fence/fences`. */
export function registerFences(app: FastifyInstance, deps: FenceDeps): void {
  registerReading(app, deps);
  registerSaving(app, deps);
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

function registerSaving(app: FastifyInstance, { stores, bus, now }: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const acts = createFenceActs({ store: stores.fences, reach: stores.fenceReach, bus, now });
  const adding = { summary: 'Adds a geofence', body: FenceContent, response: answers(Fence) };
  const addingConfig = { ...config, addsToGroup: true as const };
  routes.post(FENCES_PATH, { schema: adding, config: addingConfig, bodyLimit }, async (request, reply) =>
    answer(reply, await acts.add(actorOf(request), request.body)),
  );

  const changing = { summary: 'Changes a geofence', params, body: ChangedFence, response: answers(Fence) };
  routes.put(path, { schema: changing, config, bodyLimit }, async (request, reply) => {
    const { version, ...content } = request.body;
    return answer(reply, await acts.change(actorOf(request), { id: Number(request.params.id), version }, content));
  });

  const removing = { summary: 'Deletes a geofence', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: Number(request.query.version) };
    const done = await acts.remove(actorOf(request), named);
    return done.ok ? ok({}) : answer(reply, done);
  });
}

function answer(reply: FastifyReply, done: Outcome<StoredFence, FenceRefusal>) {
  return done.ok ? ok(toFence(done.value)) : refuse(reply, refusalOfFence(done.reason));
}
