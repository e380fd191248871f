import type { FirmwareApproval } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import type { DeviceOrders } from '../../../device/orders/deviceOrders.ts';
import type { FirmwareEngine } from '../../../firmware/tasks/firmwareEngine.ts';
import type { TaskImages } from '../../../firmware/tasks/taskImage.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { Stores } from '../../../store/stores.ts';
import type { Refusal } from '../../kernel/envelope.ts';

export interface FirmwareTaskDeps {
  readonly stores: Pick<Stores, 'firmwareTasks' | 'firmwareDevices' | 'firmwareReach' | 'devices'>;
  readonly taskImages: Pick<TaskImages, 'find'>;
  readonly firmwareEngine: Pick<FirmwareEngine, 'taskChanged'>;
  readonly firmwareApproval: FirmwareApproval;
  readonly bus: Pick<ChangeBus, 'listChanged'>;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly isOnline: (deviceId: string) => boolean;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

export const MAY_UPDATE_FIRMWARE = {
  access: { kind: 'permissions', all: [Permission.FirmwareUpdate] },
} as const;

/** Size of a firmware task that is added or changed: names of 5,000 devices. The answer is 413. */
export const FIRMWARE_TASK_BYTES_LIMIT: Limit = { name: 'http.firmware-task.bytes', max: 2 * 1024 * 1024 };

export const NO_TASK: Refusal = {
  status: 404,
  code: 'no-such-firmware-task',
  message: "Firmware task not found, or you don't have access to it.",
};

export const WRONG_STATE: Refusal = {
  status: 409,
  code: 'wrong-firmware-state',
  message: "The firmware task can't do this in its current state. Reload to see it.",
};

export const TOO_MANY_TASKS: Refusal = {
  status: 409,
  code: 'too-many-firmware-tasks',
  message: "You've reached the limit of firmware tasks. Delete or stop some first.",
};

export const SECOND_PERSON: Refusal = {
  status: 403,
  code: 'second-person',
  message: 'A member who has not edited this task has to approve it.',
};

export const NO_TARGETS: Refusal = {
  status: 409,
  code: 'no-firmware-targets',
  message: 'The image fits none of the chosen devices. Change the devices or the image.',
};

/** Without them the first percent of the fleet would be the trial. */
export const NO_CANARIES: Refusal = {
  status: 409,
  code: 'no-firmware-canaries',
  message: 'The image fits none of the canary devices that are in the task. Change the canary devices.',
};

export const WRONG_PLATE: Refusal = {
  status: 422,
  code: 'wrong-plate',
  message: "The plate number you entered isn't this device's.",
  data: { fields: { plate: 'not-allowed' } },
};

export const TOO_MANY_TARGETS: Refusal = {
  status: 409,
  code: 'too-many-firmware-targets',
  message: 'A firmware task takes at most 20,000 devices. Choose fewer.',
};
