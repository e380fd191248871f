// Firmware tasks of a running gateway.
import { Gauge, type Registry } from 'prom-client';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { followRecords, listTeller } from '../../bus/changeBus.ts';
import { askAttributes } from '../../device/noteFacts.ts';
import type { DeviceRegistry } from '../../device/registry.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { EventEngine } from '../../events/engine/eventEngine.ts';
import { inBackground } from '../../faults/background.ts';
import type { Delivery } from '../../firmware/delivery/delivery.ts';
import { createSituationOf, DeviceSituations } from '../../firmware/tasks/deviceSituations.ts';
import { FirmwareEngine, type MovedTask } from '../../firmware/tasks/firmwareEngine.ts';
import type { ModelOf, TaskImages } from '../../firmware/tasks/taskImage.ts';
import type { FirmwareTaskDeps } from '../../http/firmware/tasks/taskDeps.ts';
import { type Context, toolsOf } from '../context.ts';

interface FirmwareTasksParts {
  readonly images: TaskImages;
  readonly modelOf: ModelOf;
  readonly delivery: Delivery;
  readonly registry: DeviceRegistry;
  readonly plans: Pick<PlanGate, 'mayTransfer'>;
  /** Whether somebody watches the device, or fetches its video. */
  readonly isWatched: (deviceId: string) => boolean;
  readonly events: Pick<EventEngine, 'raise'>;
}

export interface FirmwareTasks {
  readonly forCalls: Pick<FirmwareTaskDeps, 'taskImages' | 'firmwareEngine' | 'firmwareApproval' | 'isOnline'>;
}

/** The records that decide which devices a task has, and how it is sent to them. */
const TASK_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup', 'firmwaremodel'];

/** Runs after the device side has started and closes before it ends, so that transfers in progress end in an orderly way. */
export async function startFirmwareTasks(context: Context, parts: FirmwareTasksParts): Promise<FirmwareTasks> {
  const { config, stores, feed, bus, metrics, closing, onLimit } = context;
  const { images, modelOf, delivery, registry, plans, isWatched, events } = parts;
  const { runAfter, onFault } = toolsOf(context, 'firmware');
  const situations = new DeviceSituations();
  closing.add('situations of devices', async () => stopHearing());
  const stopHearing = feed.subscribe('firmware situations', situations.handle);
  const engine = new FirmwareEngine({
    stores,
    images,
    modelOf,
    delivery,
    feed,
    session: (deviceId) => registry.session(deviceId),
    situationOf: createSituationOf({ situations, registry, plans, isWatched }),
    askVersion: ({ deviceId, incarnation }) => {
      const session = registry.session(deviceId);
      if (session?.incarnation !== incarnation) return;
      const asked = askAttributes(session, { registry, feed, now: Date.now });
      inBackground('a terminal could not be asked for its version', asked, onFault);
    },
    now: Date.now,
    runAfter,
    onFault,
    onLimit,
    onDeviceFailed: (device) => device && events.raise({ type: 'firmware-failed', form: 'momentary' }, device),
    onTaskMoved: (moved) => {
      noteMove(context, moved, onFault);
      if (moved.state !== 'done') events.raise({ type: 'firmware-task-stopped', form: 'momentary' });
    },
    onChanged: listTeller(bus, 'firmware'),
  });
  registerMetrics(metrics, engine);
  closing.add('firmware tasks', () => engine.close());
  await engine.start();
  followRecords(bus, 'firmware tasks', TASK_RECORDS, () => engine.recordsChanged());
  return {
    forCalls: {
      taskImages: images,
      firmwareEngine: engine,
      firmwareApproval: config.firmwareApproval,
      isOnline: (deviceId) => registry.session(deviceId) !== undefined,
    },
  };
}

/** Records what a task does by itself in the audit log, too. */
function noteMove(
  { stores }: Context,
  { name: target, state, reason }: MovedTask,
  onFault: (error: Error) => void,
): void {
  const entry = { actor: '', action: 'firmwaretask.auto', target, detail: { state, reason } } as const;
  inBackground('a firmware task is missing in the audit', stores.audit.add(entry, wallMs(Date.now())), onFault);
}

function registerMetrics(metrics: Registry, engine: FirmwareEngine): void {
  const gauges = [
    ['fleetglass_firmware_tasks', 'Firmware tasks that are in memory', () => engine.taskCount],
    ['fleetglass_firmware_sends', 'Devices that firmware is being sent to', () => engine.sendingCount],
  ] as const;
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  }
}
