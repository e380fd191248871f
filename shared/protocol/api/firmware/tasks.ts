// Firmware tasks: one image for a choice of devices. All calls take `fwupdate`.
import * as Type from 'typebox/type';
import {
  FIRMWARE_DEVICE_STATES,
  FIRMWARE_FAULTS,
  FIRMWARE_METHODS,
  FIRMWARE_TASK_ACTS,
  FIRMWARE_TASK_REASONS,
  FIRMWARE_TASK_STATES,
  FIRMWARE_WAITS,
  IGNITION_CONDITIONS,
  TERMINAL_RESTARTS,
} from '../../firmware/firmwareWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  IdText,
  LineOfText,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';
import { WeekSchedule } from '../weekWindows.ts';

export const FIRMWARE_TASKS_PATH = '/api/firmware/tasks';
/** GET, with FirmwareDeviceFilters: a list of FirmwareDevice. */
export const FIRMWARE_DEVICES_PATH = '/api/firmware/devices';
/** POST, with a FirmwareTargets: a FirmwareReach. */
export const FIRMWARE_REACH_PATH = '/api/firmware/reach';
/** GET, with the row's id as `device`: a FirmwareSteps. */
export const FIRMWARE_STEPS_PATH = '/api/firmware/steps';
/** POST, with a RestartRequest. */
export const FIRMWARE_RESTART_PATH = '/api/firmware/restart';

export const MAX_FIRMWARE_TASKS = 1_000;
export const MAX_FIRMWARE_TARGETS = 20_000;

const KnownId = Type.Integer({ minimum: 1 });
/** `YYYY-MM-DD`, in the device's time zone; '' for none. */
const Day = Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' });
const Percent = Type.Integer({ minimum: 1, maximum: 100 });

const targets = {
  image: KnownId,
  devices: Type.Array(ShortText, { maxItems: 5_000, uniqueItems: true }),
  /** Serial numbers, with the groups inside them. With `devices` empty too: all devices of the member group. */
  deviceGroups: Type.Array(KnownId, { maxItems: 1_000, uniqueItems: true }),
  /** A pattern of models; '' for any. */
  model: LineOfText(60),
  /** A pattern of installed versions; '' for any. */
  installedVersion: LineOfText(60),
};
export const FirmwareTargets = Type.Object(targets, closed);
export type FirmwareTargets = RecordOf<typeof FirmwareTargets>;
/** The effect that a task with these targets would have now. */
export const FirmwareReach = Type.Object({
  devices: Count,
  fitting: Count,
  /** Devices that don't fit, by the first reason. */
  unfitting: Type.Array(Type.Object({ fault: OneOf(FIRMWARE_FAULTS, 'internal'), devices: Count })),
});
export type FirmwareReach = RecordOf<typeof FirmwareReach>;

const content = {
  name: LineOfText(100),
  ...targets,
  /** Hours of the week in the device's time zone in which the update may begin. Empty: at any time. */
  window: WeekSchedule,
  fromDay: Day,
  toDay: Day,
  /** 0: need not be parked. */
  parkedMinutes: Type.Integer({ minimum: 0, maximum: 1_440 }),
  ignition: OneOf(IGNITION_CONDITIONS, 'any'),
  /** Not while a user watches or fetches the device's video. */
  unwatched: Flag,
  /** Least signal strength as the terminal reports it (0 to 31); 0: any. */
  minimumSignal: Type.Integer({ minimum: 0, maximum: 31 }),
  /** Only while the device's data plan has the image's size left. */
  needsPlan: Flag,
  /** Number of devices that are sent to at a time. */
  concurrency: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Ids of devices that come first, as a stage of their own. */
  canaries: Type.Array(ShortText, { maxItems: 100, uniqueItems: true }),
  /** Share of the devices that is reached with each stage, rising; the last is 100. */
  stages: Type.Array(Percent, { minItems: 1, maxItems: 10 }),
  /** Percentage of a stage's ended devices that must have succeeded; with less, the task pauses before the next stage. */
  requiredPercent: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Total failures at which the task stops: the number or the share of its devices, whichever is larger. */
  abortDevices: Type.Integer({ minimum: 1, maximum: 1_000 }),
  abortPercent: Percent,
  /** Pause between stages. */
  pauseMinutes: Type.Integer({ minimum: 0, maximum: 10_080 }),
};
export const FirmwareTaskContent = Type.Object(content, closed);
export type FirmwareTaskContent = RecordOf<typeof FirmwareTaskContent>;
export const ChangedFirmwareTask = Type.Object({ ...content, version: Version }, closed);
export type ChangedFirmwareTask = RecordOf<typeof ChangedFirmwareTask>;

/** Devices of each state, in the order of FIRMWARE_DEVICE_STATES. */
const StateCounts = Type.Array(Count);

export const FirmwareTask = Type.Object({
  id: Id,
  version: Version,
  ...content,
  imageName: Text,
  firmwareVersion: Text,
  state: OneOf(FIRMWARE_TASK_STATES, 'stopped'),
  reason: OneOf(FIRMWARE_TASK_REASONS, ''),
  /** The stage from 0, which is the canaries' if there are any. */
  stage: Count,
  /** Devices of each stage that have begun, by state. Empty until the task has started. */
  progress: Type.Array(StateCounts),
  /** When the next stage begins; 0 while none waits. */
  nextStageAtMs: Timestamp,
  createdAtMs: Timestamp,
  createdBy: Text,
  approvedAtMs: Timestamp,
  approvedBy: Text,
  startedAtMs: Timestamp,
  endedAtMs: Timestamp,
  /** Whether the caller may approve it: those who made or changed it may not. */
  mayApprove: Flag,
});
export type FirmwareTask = RecordOf<typeof FirmwareTask>;
export const FIRMWARE_TASK_SORTS = ['name', 'createdAtMs'] as const;
export const FirmwareTaskFilters = { state: Type.Optional(OneOf(FIRMWARE_TASK_STATES)) };

/** POST: a FirmwareAct. */
export function firmwareActPath(id: number | string): string {
  return `${FIRMWARE_TASKS_PATH}/${id}/act`;
}
export const FirmwareAct = Type.Object(
  { act: OneOf(FIRMWARE_TASK_ACTS), reason: LineOfText(200), version: Version },
  closed,
);
export type FirmwareAct = RecordOf<typeof FirmwareAct>;

export const FirmwareDevice = Type.Object({
  id: Id,
  task: Id,
  deviceid: Text,
  name: Text,
  plate: Text,
  model: Text,
  stage: Count,
  state: OneOf(FIRMWARE_DEVICE_STATES, 'failed'),
  wait: OneOf(FIRMWARE_WAITS, ''),
  fault: OneOf(FIRMWARE_FAULTS, 'internal'),
  method: OneOf(FIRMWARE_METHODS, 'packages'),
  attempts: Count,
  sentBytes: Count,
  totalBytes: Count,
  versionBefore: Text,
  versionAfter: Text,
  changedAtMs: Timestamp,
});
export type FirmwareDevice = RecordOf<typeof FirmwareDevice>;
export const FIRMWARE_DEVICE_SORTS = ['stage', 'name', 'state', 'changedAtMs'] as const;
export const FirmwareDeviceFilters = {
  task: IdText,
  state: Type.Optional(OneOf(FIRMWARE_DEVICE_STATES)),
};

/** The latest steps first, at most some hundreds. */
export const FirmwareSteps = Type.Array(
  Type.Object({
    atMs: Timestamp,
    state: OneOf(FIRMWARE_DEVICE_STATES, 'failed'),
    wait: OneOf(FIRMWARE_WAITS, ''),
    fault: OneOf(FIRMWARE_FAULTS, 'internal'),
    /** Number of the attempt. */
    attempt: Count,
    sentBytes: Count,
    /** A version, an address or a code, in no particular language. */
    detail: Text,
  }),
);
export type FirmwareSteps = RecordOf<typeof FirmwareSteps>;

export const RestartRequest = Type.Object(
  {
    deviceid: ShortText,
    act: OneOf(TERMINAL_RESTARTS),
    /** The plate number as it was typed to confirm; the device ID for a device without one. */
    plate: LineOfText(100),
    reason: LineOfText(200),
  },
  closed,
);
export type RestartRequest = RecordOf<typeof RestartRequest>;
