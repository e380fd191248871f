// Firmware images: their list and changes. Files come by uploads.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedFirmwareImage,
  FIRMWARE_IMAGE_SORTS,
  FIRMWARE_IMAGES_PATH,
  FirmwareImage,
  NewFirmwareImage,
} from '../../../shared/protocol/api/firmware/images.ts';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { NamedFirmwareImage, StoredFirmwareImage } from '../../store/firmware/firmwareImages.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { conflictWith, ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { registerChanging } from '../kernel/recordChanges.ts';
import { refusalOfTaking } from '../uploads/uploadRefusals.ts';
import { auditFieldsOfImage, faultsOfImage, storedImage } from './firmwareChecks.ts';
import {
  MAY_UPDATE_FIRMWARE as config,
  type FirmwareImageDeps,
  IMAGE_IN_USE,
  NO_IMAGE,
  TOO_MANY_IMAGES,
} from './firmwareImageDeps.ts';
import { registerFirmwareModels } from './firmwareModelRoutes.ts';
import { registerFirmwareVersions } from './firmwareVersionRoutes.ts';
import { registerImageDownload } from './imageDownloadRoute.ts';

const params = Type.Object({ id: IdText });
const path = `${FIRMWARE_IMAGES_PATH}/:id`;

/** `/api/firmware/images`, `/models`, `/versions`, `/installed`, and the downloads of terminals. */
export async function registerFirmwareImageRoutes(app: FastifyInstance, deps: FirmwareImageDeps): Promise<void> {
  await registerChanging(app, ['firmwareimage'], async (routes) => {
    registerReading(routes, deps);
    registerAdding(routes, deps);
    registerChange(routes, deps);
    registerRemoving(routes, deps);
  });
  registerFirmwareModels(app, deps);
  registerFirmwareVersions(app, deps);
  registerImageDownload(app);
}

function registerReading(app: FastifyInstance, { stores }: FirmwareImageDeps): void {
  listRoutes(app, {
    path: FIRMWARE_IMAGES_PATH,
    summary: 'Firmware images',
    access: config.access,
    row: FirmwareImage,
    sorts: FIRMWARE_IMAGE_SORTS,
    order: { sort: 'addedAtMs', descending: true },
    filters: {},
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async ({ filters: _, ...query }, memberGroup) => {
      const page = await stores.firmwareImages.page({ ...query, memberGroup });
      return page && { ...page, rows: page.rows.map(toImage) };
    },
    csv: {
      fileName: 'firmware-images.csv',
      columns: ['name', 'vendor', 'models', 'firmwareVersion', 'bytes', 'sha256', 'addedAtMs', 'addedBy'],
      cells: () => (image) => [
        image.name,
        image.vendor,
        image.models.join('; '),
        image.firmwareVersion,
        image.bytes,
        image.sha256,
        csvTimestamp(image.addedAtMs),
        image.addedBy,
      ],
    },
  });
}

function registerAdding(app: FastifyInstance, deps: FirmwareImageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a firmware image', body: NewFirmwareImage, response: answers(FirmwareImage) };
  routes.post(FIRMWARE_IMAGES_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const { upload, ...sent } = request.body;
    const faults = faultsOfImage(sent);
    if (Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const { memberGroup } = scopeOf(callerOf(request));
    const by = callerOf(request).user;
    const added = await deps.firmwareImages.add({ memberGroup, content: storedImage(sent), upload, by });
    if (!added.ok) {
      return refuse(reply, added.reason === 'too-many' ? TOO_MANY_IMAGES : refusalOfTaking(added.reason));
    }
    const { content, sha256, bytes } = added.value;
    const after = auditFieldsOfImage(content);
    await recordAudit(request, {
      action: 'firmware.image.add',
      target: content.name,
      after,
      detail: { sha256, bytes },
    });
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup });
    return ok(toImage(added.value));
  });
}

function registerChange(app: FastifyInstance, deps: FirmwareImageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const body = ChangedFirmwareImage;
  const schema = { summary: 'Changes a firmware image', params, body, response: answers(FirmwareImage) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...sent } = request.body;
    const faults = faultsOfImage(sent);
    if (Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version };
    const done = await deps.stores.firmwareImages.update(named, storedImage(sent));
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { before, after } = done.value;
    await recordAudit(request, {
      action: 'firmware.image.change',
      target: after.content.name,
      before: auditFieldsOfImage(before.content),
      after: auditFieldsOfImage(after.content),
    });
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup });
    return ok(toImage(after));
  });
}

function registerRemoving(app: FastifyInstance, deps: FirmwareImageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Deletes a firmware image', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const named = { id: Number(request.params.id), memberGroup, version: Number(request.query.version) };
    const done = await deps.firmwareImages.remove(named);
    if (!done.ok) return refuseChange(reply, done.reason, { named, deps });
    const { content, sha256 } = done.value;
    const before = auditFieldsOfImage(content);
    await recordAudit(request, { action: 'firmware.image.remove', target: content.name, before, detail: { sha256 } });
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup });
    return ok({});
  });
}

interface Refused {
  readonly named: NamedFirmwareImage;
  readonly deps: FirmwareImageDeps;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict' | 'in-use',
  { named, deps }: Refused,
): Promise<FastifyReply> {
  if (reason === 'in-use') return refuse(reply, IMAGE_IN_USE);
  const current = reason === 'gone' ? undefined : await deps.stores.firmwareImages.find(named.id, named.memberGroup);
  return refuse(reply, current === undefined ? NO_IMAGE : conflictWith(toImage(current)));
}

function toImage(image: StoredFirmwareImage): FirmwareImage {
  const { id, version, content, sha256, bytes, addedAtMs, addedBy, openTasks } = image;
  return { id, version, ...content, sha256, bytes, addedAtMs: wallMs(addedAtMs), addedBy, openTasks };
}
