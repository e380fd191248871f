// The devices of a task, the log of one of them, and which devices a task would reach.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  FIRMWARE_DEVICE_SORTS,
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_REACH_PATH,
  FIRMWARE_STEPS_PATH,
  FirmwareDevice,
  FirmwareDeviceFilters,
  FirmwareReach,
  FirmwareSteps,
  FirmwareTargets,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { IdText } from '../../../../shared/protocol/api/records.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { reachOf, targetsOf } from '../../../firmware/tasks/targets.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, Refused, refuse, refusedFields } from '../../kernel/envelope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { FIRMWARE_TASK_BYTES_LIMIT, type FirmwareTaskDeps, MAY_UPDATE_FIRMWARE } from './taskDeps.ts';
import { groupOf } from './taskRoutes.ts';
import { DEVICE_CSV_COLUMNS, deviceCells, toDevice } from './taskRows.ts';

const config = MAY_UPDATE_FIRMWARE;

/** `GET /api/firmware/devices`, `GET /api/firmware/steps` and `POST /api/firmware/reach`. */
export function registerTaskDevices(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  registerList(app, deps);
  registerSteps(app, deps);
  registerReach(app, deps);
}

function registerList(app: FastifyInstance, { stores }: FirmwareTaskDeps): void {
  listRoutes(app, {
    path: FIRMWARE_DEVICES_PATH,
    summary: 'Devices of a firmware task',
    access: config.access,
    row: FirmwareDevice,
    sorts: FIRMWARE_DEVICE_SORTS,
    order: { sort: 'stage', descending: false },
    filters: FirmwareDeviceFilters,
    scope: groupOf,
    load: async ({ filters: { task, state }, ...query }, memberGroup) => {
      const page = await stores.firmwareDevices.page({ ...query, task: Number(task), state, memberGroup });
      return page && { ...page, rows: page.rows.map(toDevice) };
    },
    csv: { fileName: 'firmware-devices.csv', columns: DEVICE_CSV_COLUMNS, cells: () => deviceCells },
  });
}

function registerSteps(app: FastifyInstance, { stores }: FirmwareTaskDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = Type.Object({ device: IdText });
  const schema = { summary: 'What was done with a device', querystring, response: answers(FirmwareSteps) };
  routes.get(FIRMWARE_STEPS_PATH, { schema, config }, async (request, reply) => {
    const steps = await stores.firmwareDevices.steps(Number(request.query.device), groupOf(request));
    if (steps === undefined) return refuse(reply, Refused.device);
    return ok(steps.map((step) => ({ ...step, atMs: wallMs(step.atMs) })));
  });
}

/** Asks with a body, and changes nothing. */
function registerReach(app: FastifyInstance, { stores, taskImages }: FirmwareTaskDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'What a task would reach', body: FirmwareTargets, response: answers(FirmwareReach) };
  const reading = { schema, config: { ...config, changes: [] }, bodyLimit: FIRMWARE_TASK_BYTES_LIMIT.max };
  routes.post(FIRMWARE_REACH_PATH, reading, async (request, reply) => {
    const memberGroup = groupOf(request);
    const [image, devices, parents] = await Promise.all([
      taskImages.find(request.body.image, memberGroup),
      stores.firmwareReach.devices(memberGroup),
      stores.firmwareReach.parents(),
    ]);
    if (image === undefined) return refuse(reply, refusedFields({ image: 'unknown' }));
    return ok(reachOf(targetsOf(devices, parents, request.body), image));
  });
}
