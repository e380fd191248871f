// Models of terminals and the ways in which they take images.
import type { FastifyInstance } from 'fastify';
import {
  ChangedFirmwareModel,
  FIRMWARE_MODEL_SORTS,
  FIRMWARE_MODELS_PATH,
  FirmwareModel,
  FirmwareModelContent,
} from '../../../shared/protocol/api/firmware/images.ts';
import { createFirmwareModelActs } from '../../firmware/acts/models.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordRoutes } from '../kernel/records/recordRoutes.ts';
import { type FirmwareImageDeps, MAY_UPDATE_FIRMWARE, NO_MODEL, TOO_MANY_MODELS } from './firmwareImageDeps.ts';

const { access } = MAY_UPDATE_FIRMWARE;

/** `/api/firmware/models`. */
export function registerFirmwareModels(app: FastifyInstance, { stores, bus, now }: FirmwareImageDeps): void {
  listRoutes(app, {
    path: FIRMWARE_MODELS_PATH,
    summary: 'Terminal models and how they take firmware',
    access,
    row: FirmwareModel,
    sorts: FIRMWARE_MODEL_SORTS,
    order: { sort: 'pattern', descending: false },
    filters: {},
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: ({ filters: _, ...query }, memberGroup) => stores.firmwareModels.page({ ...query, memberGroup }),
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
  recordRoutes(app, {
    path: FIRMWARE_MODELS_PATH,
    noun: 'a terminal model',
    access,
    content: FirmwareModelContent,
    changed: ChangedFirmwareModel,
    row: FirmwareModel,
    acts: createFirmwareModelActs({ store: stores.firmwareModels, bus, now }),
    show: (model) => model,
    refusals: { gone: NO_MODEL, tooMany: TOO_MANY_MODELS },
  });
}
