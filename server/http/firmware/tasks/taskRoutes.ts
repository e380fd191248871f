// Firmware tasks: the list, one of them, and changes of drafts.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedFirmwareTask,
  FIRMWARE_TASK_SORTS,
  FIRMWARE_TASKS_PATH,
  FirmwareTask,
  FirmwareTaskContent,
  FirmwareTaskFilters,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { IdText, Nothing } from '../../../../shared/protocol/api/records.ts';
import { mayApprove } from '../../../firmware/rules/acts.ts';
import { targetsOf } from '../../../firmware/tasks/targets.ts';
import type { StoredFirmwareTask } from '../../../store/firmware/firmwareTaskRows.ts';
import { VersionQuery } from '../../accounts/common.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../../kernel/envelope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { faultsOfTask } from './taskChecks.ts';
import {
  FIRMWARE_TASK_BYTES_LIMIT,
  type FirmwareTaskDeps,
  MAY_UPDATE_FIRMWARE,
  NO_TASK,
  TOO_MANY_TASKS,
  WRONG_STATE,
} from './taskDeps.ts';
import { auditFieldsOfTask, TASK_CSV_COLUMNS, taskCells, toTask } from './taskRows.ts';

const params = Type.Object({ id: IdText });
const path = `${FIRMWARE_TASKS_PATH}/:id`;
const config = MAY_UPDATE_FIRMWARE;
const bodyLimit = FIRMWARE_TASK_BYTES_LIMIT.max;

/** `/api/firmware/tasks`. */
export function registerTasks(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  registerReading(app, deps);
  registerAdding(app, deps);
  registerChange(app, deps);
  registerRemoving(app, deps);
}

function registerReading(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  listRoutes(app, {
    path: FIRMWARE_TASKS_PATH,
    summary: 'Firmware tasks',
    access: config.access,
    row: FirmwareTask,
    sorts: FIRMWARE_TASK_SORTS,
    order: { sort: 'createdAtMs', descending: true },
    filters: FirmwareTaskFilters,
    scope: (request) => ({ user: callerOf(request).user.id, memberGroup: scopeOf(callerOf(request)).memberGroup }),
    load: async ({ filters: { state }, ...query }, { user, memberGroup }) => {
      const page = await deps.stores.firmwareTasks.page({ ...query, state, memberGroup });
      return page && { ...page, rows: await shown(deps, page.rows, user) };
    },
    csv: { fileName: 'firmware-tasks.csv', columns: TASK_CSV_COLUMNS, cells: () => taskCells },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A firmware task', params, response: answers(FirmwareTask) };
  routes.get(path, { schema, config }, async (request, reply) => {
    const task = await deps.stores.firmwareTasks.find(Number(request.params.id), groupOf(request));
    return task === undefined ? refuse(reply, NO_TASK) : ok(await shownOne(deps, request, task));
  });
}

function registerAdding(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a firmware task', body: FirmwareTaskContent, response: answers(FirmwareTask) };
  const adding = { schema, config: { ...config, addsToGroup: true as const }, bodyLimit };
  routes.post(FIRMWARE_TASKS_PATH, adding, async (request, reply) => {
    const refusal = await refusalOfTask(deps, request, request.body);
    if (refusal !== undefined) return refuse(reply, refusal);
    const content = storedContent(request.body);
    const added = await deps.stores.firmwareTasks.insert(groupOf(request), content, editorOf(deps, request));
    if (!added.ok) return refuse(reply, added.reason === 'too-many' ? TOO_MANY_TASKS : NO_IMAGE);
    const after = auditFieldsOfTask(content);
    await recordAudit(request, { action: 'firmwaretask.add', target: content.name, after });
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup: groupOf(request) });
    return ok(await shownOne(deps, request, added.value));
  });
}

function registerChange(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const summary = 'Changes a firmware task that has not started';
  const schema = { summary, params, body: ChangedFirmwareTask, response: answers(FirmwareTask) };
  routes.put(path, { schema, config, bodyLimit }, async (request, reply) => {
    const { version, ...content } = request.body;
    const named = { id: Number(request.params.id), memberGroup: groupOf(request), version };
    const { firmwareTasks } = deps.stores;
    if ((await firmwareTasks.find(named.id, named.memberGroup)) === undefined) return refuse(reply, NO_TASK);
    const refusal = await refusalOfTask(deps, request, content);
    if (refusal !== undefined) return refuse(reply, refusal);
    const done = await firmwareTasks.update(named, storedContent(content), editorOf(deps, request));
    if (!done.ok) return refuseChange(deps, request, reply, { id: named.id, reason: done.reason });
    const { before, after } = done.value;
    await recordAudit(request, {
      action: 'firmwaretask.change',
      target: after.content.name,
      before: auditFieldsOfTask(before.content),
      after: auditFieldsOfTask(after.content),
    });
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup: named.memberGroup });
    return ok(await shownOne(deps, request, after));
  });
}

function registerRemoving(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const summary = 'Deletes a firmware task that does not run';
  const schema = { summary, params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const id = Number(request.params.id);
    const named = { id, memberGroup: groupOf(request), version: Number(request.query.version) };
    const done = await deps.stores.firmwareTasks.remove(named);
    if (!done.ok) return refuseChange(deps, request, reply, { id, reason: done.reason });
    const { content } = done.value;
    const before = auditFieldsOfTask(content);
    await recordAudit(request, { action: 'firmwaretask.remove', target: content.name, before });
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup: named.memberGroup });
    return ok({});
  });
}

const NO_IMAGE = refusedFields({ image: 'unknown' });

async function refusalOfTask(
  { stores, taskImages }: FirmwareTaskDeps,
  request: FastifyRequest,
  content: FirmwareTaskContent,
): Promise<Refusal | undefined> {
  const memberGroup = groupOf(request);
  const [image, deviceGroups, devices, parents] = await Promise.all([
    taskImages.find(content.image, memberGroup),
    stores.firmwareReach.deviceGroups(memberGroup),
    stores.firmwareReach.devices(memberGroup),
    stores.firmwareReach.parents(),
  ]);
  const faults = faultsOfTask(content, {
    deviceGroups: new Set(deviceGroups),
    devices: new Set(devices.map(({ deviceId }) => deviceId)),
    targets: new Set(targetsOf(devices, parents, content).map(({ deviceId }) => deviceId)),
    hasImage: image !== undefined,
  });
  return Object.keys(faults).length === 0 ? undefined : refusedFields(faults);
}

function storedContent(content: FirmwareTaskContent): FirmwareTaskContent {
  return { ...content, name: content.name.trim() };
}

export function groupOf(request: FastifyRequest): number {
  return scopeOf(callerOf(request)).memberGroup;
}

export function editorOf({ now }: Pick<FirmwareTaskDeps, 'now'>, request: FastifyRequest) {
  const { id, username } = callerOf(request).user;
  return { id, username, atMs: now() };
}

async function shown(
  { stores, firmwareApproval }: FirmwareTaskDeps,
  tasks: readonly StoredFirmwareTask[],
  user: number,
): Promise<FirmwareTask[]> {
  const progress = await stores.firmwareDevices.progress(tasks.map(({ id }) => id));
  return tasks.map((task) =>
    toTask(task, {
      progress: progress.get(task.id) ?? [],
      mayApprove: mayApprove(firmwareApproval, task.editedBy, user),
    }),
  );
}

export async function shownOne(
  deps: FirmwareTaskDeps,
  request: FastifyRequest,
  task: StoredFirmwareTask,
): Promise<FirmwareTask> {
  const [one] = await shown(deps, [task], callerOf(request).user.id);
  if (one === undefined) throw new Error('a firmware task cannot be shown');
  return one;
}

/** What a change was refused for. */
export interface RefusedChange {
  readonly id: number;
  readonly reason: 'gone' | 'conflict' | 'wrong-state' | 'no-image' | 'too-many';
}

export async function refuseChange(
  deps: FirmwareTaskDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, reason }: RefusedChange,
): Promise<FastifyReply> {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_TASK);
    case 'wrong-state':
      return refuse(reply, WRONG_STATE);
    case 'no-image':
      return refuse(reply, NO_IMAGE);
    case 'too-many':
      return refuse(reply, TOO_MANY_TASKS);
    case 'conflict': {
      const current = await deps.stores.firmwareTasks.find(id, groupOf(request));
      return refuse(reply, conflictWith(current === undefined ? null : await shownOne(deps, request, current)));
    }
  }
}
