// The names that data usage is described with. Tables hold the numbers of kinds, so none is ever moved.

/** What data is used for. */
export const NETFLOW_KINDS = [
  /** 0x0002, answers and commands: all of the signalling connection but positions and firmware. */
  'signalling',
  'position',
  /** Live video that a user watches. */
  'live',
  /** Live video for the recorder alone. */
  'recording',
  /** Recordings of the device that a user plays. */
  'playback',
  'talk',
  /** Files of events. */
  'attachments',
  'sync',
  'firmware',
] as const;
export type NetflowKind = (typeof NETFLOW_KINDS)[number];

/** The action of a data plan once it is used up, until its next period begins. Positions, events and talk always pass. */
export const PLAN_ACTIONS = [
  'none',
  /** Live video in the sub stream alone. */
  'sub-stream',
  /** Video of events alone. */
  'events-only',
  'no-video',
  /** No sync and no firmware. */
  'no-transfers',
] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** What a device's data plan leaves viewers: all, sub streams, or no video. */
export const PLAN_VIDEO = ['all', 'sub', 'none'] as const;
export type PlanVideo = (typeof PLAN_VIDEO)[number];

/** Shares of a plan at which an event is raised. */
export const PLAN_LEVELS_PERCENT = [50, 80, 95, 100] as const;
