// The names that firmware updates are described with. Tables hold the numbers of types and states, so none is ever moved.

/** What an image is for, and the number that JT/T 808 has for it. */
export const FIRMWARE_PARTS = ['terminal', 'card-reader', 'gnss'] as const;
export type FirmwarePart = (typeof FIRMWARE_PARTS)[number];
export const FIRMWARE_PART_CODES = { terminal: 0, 'card-reader': 12, gnss: 52 } as const satisfies Record<
  FirmwarePart,
  number
>;

/** How an image reaches a terminal. */
export const FIRMWARE_METHODS = [
  /** 0x8108, in packages over the signalling connection. */
  'packages',
  /** 0x8105, command 1: the terminal downloads it. */
  'http',
  'ftp',
  /** A vendor's own text that names a URL, by 0x8300 or 0x8900. */
  'text',
  'passthrough',
] as const;
export type FirmwareMethod = (typeof FIRMWARE_METHODS)[number];

export const FIRMWARE_TASK_STATES = ['draft', 'approved', 'running', 'paused', 'stopped', 'done'] as const;
export type FirmwareTaskState = (typeof FIRMWARE_TASK_STATES)[number];

/** Why a task is paused or was stopped without a member's doing. */
export const FIRMWARE_TASK_REASONS = ['', 'stage-failed', 'too-many-failures', 'image-damaged', 'ended-dates'] as const;
export type FirmwareTaskReason = (typeof FIRMWARE_TASK_REASONS)[number];

export const FIRMWARE_DEVICE_STATES = [
  'queued',
  'waiting',
  'sending',
  'sent',
  'rebooting',
  'verifying',
  'done',
  'failed',
  'refused',
  'canceled',
  'skipped',
] as const;
export type FirmwareDeviceState = (typeof FIRMWARE_DEVICE_STATES)[number];
/** Nothing more is done with these, unless somebody asks for it. */
export const FIRMWARE_ENDED_STATES = ['done', 'failed', 'refused', 'canceled', 'skipped'] as const;

/** What a device waits for. */
export const FIRMWARE_WAITS = [
  '',
  'online',
  'window',
  'parked',
  'ignition',
  'viewers',
  'signal',
  'plan',
  'turn',
  /** Until the next attempt. */
  'retry',
] as const;
export type FirmwareWait = (typeof FIRMWARE_WAITS)[number];

/** Why a device failed, was refused or skipped. */
export const FIRMWARE_FAULTS = [
  '',
  'no-answer',
  'disconnected',
  'refused',
  'not-supported',
  'terminal-failed',
  'terminal-canceled',
  'same-version',
  'older-version',
  'not-back',
  'model-mismatch',
  'hardware-mismatch',
  'version-too-old',
  'already-installed',
  'removed',
  'image-damaged',
  'protocol-error',
  'in-other-task',
  'internal',
] as const;
export type FirmwareFault = (typeof FIRMWARE_FAULTS)[number];

export const FIRMWARE_TASK_ACTS = ['approve', 'start', 'pause', 'resume', 'stop', 'retry'] as const;
export type FirmwareTaskAct = (typeof FIRMWARE_TASK_ACTS)[number];

/** Who may approve a task. `second`: somebody who has neither made nor changed it. */
export const FIRMWARE_APPROVALS = ['second', 'any'] as const;
export type FirmwareApproval = (typeof FIRMWARE_APPROVALS)[number];

export const IGNITION_CONDITIONS = ['any', 'on', 'off'] as const;
export type IgnitionCondition = (typeof IGNITION_CONDITIONS)[number];

/** 0x8105, commands 4 and 5. */
export const TERMINAL_RESTARTS = ['restart', 'factory-reset'] as const;
export type TerminalRestart = (typeof TERMINAL_RESTARTS)[number];
