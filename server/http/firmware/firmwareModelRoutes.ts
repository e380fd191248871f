// Models of terminals and the ways in which they take images.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedFirmwareModel,
  FIRMWARE_MODEL_SORTS,
  FIRMWARE_MODELS_PATH,
  FirmwareModel,
  FirmwareModelContent,
} from '../../../shared/protocol/api/firmware/images.ts';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import type { NamedFirmwareModel, StoredFirmwareModel } from '../../store/firmware/firmwareModels.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { conflictWith, ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { auditFieldsOfModel, faultsOfModel, storedModel } from './firmwareChecks.ts';
import {
  MAY_UPDATE_FIRMWARE as config,
  type FirmwareImageDeps,
  NO_MODEL,
  PATTERN_TAKEN,
  TOO_MANY_MODELS,
} from './firmwareImageDeps.ts';

const params = Type.Object({ id: IdText });
const path = `${FIRMWARE_MODELS_PATH}/:id`;

/** `/api/firmware/models`. */
export function registerFirmwareModels(app: FastifyInstance, deps: FirmwareImageDeps): void {
  registerReading(app, deps);
  registerAdding(app, deps);
  registerChange(app, deps);
  registerRemoving(app, deps);
}

function registerReading(app: FastifyInstance, { stores }: FirmwareImageDeps): void {
  listRoutes(app, {
    path: FIRMWARE_MODELS_PATH,
    summary: 'Terminal models and how they take firmware',
    access: config.access,
    row: FirmwareModel,
    sorts: FIRMWARE_MODEL_SORTS,
    order: { sort: 'pattern', descending: false },
    filters: {},
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async ({ filters: _, ...query }, memberGroup) => {
      const page = await stores.firmwareModels.page({ ...query, memberGroup });
      return page && { ...page, rows: page.rows.map(toModel) };
    },
    csv: {
      fileName: 'firmware-models.csv',
      columns: ['pattern', 'method', 'manufacturerBytes', 'window', 'packageIntervalMs', 'template', 'passthroughType'],
      cells: () => (model) => [
        model.pattern,
        model.method,
        model.manufacturerBytes,
        model.window,
        model.packageIntervalMs ?? 0,
        model.template,
        model.passthroughType,
      ],
    },
  });
}

function registerAdding(app: FastifyInstance, { stores, firmwareChanged }: FirmwareImageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a terminal model', body: FirmwareModelContent, response: answers(FirmwareModel) };
  routes.post(FIRMWARE_MODELS_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const faults = faultsOfModel(request.body);
    if (Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const { memberGroup } = scopeOf(callerOf(request));
    const added = await stores.firmwareModels.insert(memberGroup, storedModel(request.body));
    if (!added.ok) return refuse(reply, added.reason === 'taken' ? PATTERN_TAKEN : TOO_MANY_MODELS);
    const { content } = added.value;
    const after = auditFieldsOfModel(content);
    await recordAudit(request, { action: 'firmware.model.add', target: content.pattern, after });
    firmwareChanged(memberGroup);
    return ok(toModel(added.value));
  });
}

function registerChange(app: FastifyInstance, deps: FirmwareImageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const body = ChangedFirmwareModel;
  const schema = { summary: 'Changes a terminal model', params, body, response: answers(FirmwareModel) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...sent } = request.body;
    const faults = faultsOfModel(sent);
    if (Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version };
    const done = await deps.stores.firmwareModels.update(named, storedModel(sent));
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { before, after } = done.value;
    await recordAudit(request, {
      action: 'firmware.model.change',
      target: after.content.pattern,
      before: auditFieldsOfModel(before.content),
      after: auditFieldsOfModel(after.content),
    });
    deps.firmwareChanged(memberGroup);
    return ok(toModel(after));
  });
}

function registerRemoving(app: FastifyInstance, deps: FirmwareImageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Deletes a terminal model', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version: Number(request.query.version) };
    const done = await deps.stores.firmwareModels.remove(named);
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { content } = done.value;
    const before = auditFieldsOfModel(content);
    await recordAudit(request, { action: 'firmware.model.remove', target: content.pattern, before });
    deps.firmwareChanged(memberGroup);
    return ok({});
  });
}

interface Refused {
  readonly named: NamedFirmwareModel;
  readonly deps: Pick<FirmwareImageDeps, 'stores'>;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict' | 'taken',
  { named, deps }: Refused,
): Promise<FastifyReply> {
  if (reason === 'taken') return refuse(reply, PATTERN_TAKEN);
  const current = reason === 'gone' ? undefined : await deps.stores.firmwareModels.find(named.id, named.memberGroup);
  return refuse(reply, current === undefined ? NO_MODEL : conflictWith(toModel(current)));
}

function toModel({ id, version, content }: StoredFirmwareModel): FirmwareModel {
  return { id, version, ...content };
}
