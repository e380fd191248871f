// What members do with a task: approve, start, pause, resume, stop it, and have devices retried.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  FirmwareAct,
  FirmwareTask,
  firmwareActPath,
  MAX_FIRMWARE_TARGETS,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { IdText } from '../../../../shared/protocol/api/records.ts';
import type { FirmwareTaskState } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { mayApprove, stateAfter } from '../../../firmware/rules/acts.ts';
import { lacksCanaries, startedDevices, targetsOf } from '../../../firmware/tasks/targets.ts';
import type { Limit } from '../../../limits/limit.ts';
import type { StoredFirmwareTask } from '../../../store/firmware/firmwareTaskRows.ts';
import type { Outcome } from '../../../store/outcome.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { ok, type Refusal, refuse } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { NO_IMAGE } from '../firmwareImageDeps.ts';
import {
  type FirmwareTaskDeps,
  MAY_UPDATE_FIRMWARE,
  NO_CANARIES,
  NO_TARGETS,
  NO_TASK,
  SECOND_PERSON,
  TOO_MANY_TARGETS,
  WRONG_STATE,
} from './taskDeps.ts';
import { editorOf, groupOf, type RefusedChange, refuseChange, shownOne } from './taskRoutes.ts';

/** Devices of a firmware task. It doesn't start: 409 `too-many-firmware-targets`. */
export const FIRMWARE_TARGETS_LIMIT: Limit = { name: 'firmware.devices.task', max: MAX_FIRMWARE_TARGETS };

/** `POST /api/firmware/tasks/:id/act`. */
export function registerAct(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const params = Type.Object({ id: IdText });
  const schema = { summary: 'Acts on a firmware task', params, body: FirmwareAct, response: answers(FirmwareTask) };
  routes.post(firmwareActPath(':id'), { schema, config: MAY_UPDATE_FIRMWARE }, async (request, reply) => {
    const { act, reason } = request.body;
    const id = Number(request.params.id);
    const task = await deps.stores.firmwareTasks.find(id, groupOf(request));
    if (task === undefined) return refuse(reply, NO_TASK);
    if (task.version !== request.body.version) return refuseChange(deps, request, reply, { id, reason: 'conflict' });
    const state = stateAfter(task.state, act);
    if (state === undefined) return refuse(reply, WRONG_STATE);
    if (act === 'approve' && !isApprover(deps, request, task)) return refuse(reply, SECOND_PERSON);
    const done = await perform(deps, request, { task, act, state });
    if (!done.ok) {
      const { reason: why } = done;
      return typeof why === 'string' ? refuseChange(deps, request, reply, { id, reason: why }) : refuse(reply, why);
    }
    const isAccepted = act === 'resume' && task.reason === 'stage-failed';
    const detail = { reason, ...done.value.detail };
    // Both run at once: what is done can't be undone, so neither may be left out because the other fails.
    await Promise.all([
      act === 'approve' ? undefined : deps.firmwareEngine.taskChanged(id, { isAccepted }),
      recordAudit(request, { action: `firmwaretask.${act}`, target: task.content.name, detail }),
    ]);
    deps.bus.listChanged.tell({ list: 'firmware', memberGroup: task.memberGroup });
    const now = await deps.stores.firmwareTasks.find(id, task.memberGroup);
    return now === undefined ? refuse(reply, NO_TASK) : ok(await shownOne(deps, request, now));
  });
}

function isApprover(
  { firmwareApproval }: FirmwareTaskDeps,
  request: FastifyRequest,
  task: StoredFirmwareTask,
): boolean {
  return mayApprove(firmwareApproval, task.editedBy, callerOf(request).user.id);
}

interface Act {
  readonly task: StoredFirmwareTask;
  readonly act: FirmwareAct['act'];
  readonly state: FirmwareTaskState;
}

type Performed = Outcome<{ readonly detail: { readonly devices?: number } }, RefusedChange['reason'] | Refusal>;

async function perform(deps: FirmwareTaskDeps, request: FastifyRequest, { task, act, state }: Act): Promise<Performed> {
  const { firmwareTasks } = deps.stores;
  const atMs = deps.now();
  if (act === 'start') return start(deps, task);
  if (act === 'retry') {
    const retried = await firmwareTasks.retry(task, atMs);
    if (!retried.ok) return retried.reason === 'no-image' ? { ok: false, reason: NO_IMAGE } : retried;
    return { ok: true, value: { detail: { devices: retried.value.devices } } };
  }
  const approval = act === 'approve' ? editorOf(deps, request) : undefined;
  const moved = await firmwareTasks.move(task, { state, atMs, ...(approval && { approval }) });
  return moved.ok ? { ok: true, value: { detail: {} } } : moved;
}

/** The task gets the devices that fit now: a device that fits only later is in none of its stages. */
async function start(
  { stores, taskImages, onLimit, now }: FirmwareTaskDeps,
  task: StoredFirmwareTask,
): Promise<Performed> {
  const { memberGroup, content } = task;
  const [image, devices, parents] = await Promise.all([
    taskImages.find(content.image, memberGroup),
    stores.firmwareReach.devices(memberGroup),
    stores.firmwareReach.parents(),
  ]);
  if (image === undefined) return { ok: false, reason: NO_IMAGE };
  const targets = targetsOf(devices, parents, content);
  if (targets.length > FIRMWARE_TARGETS_LIMIT.max) {
    onLimit(FIRMWARE_TARGETS_LIMIT);
    return { ok: false, reason: TOO_MANY_TARGETS };
  }
  const started = startedDevices(targets, image, content);
  if (started.every(({ fault }) => fault !== '')) return { ok: false, reason: NO_TARGETS };
  if (lacksCanaries(targets, image, content)) return { ok: false, reason: NO_CANARIES };
  const done = await stores.firmwareTasks.start(task, started, now());
  return done.ok ? { ok: true, value: { detail: { devices: started.length } } } : done;
}
