// The words that describe data sync. Tables hold the numbers of states, so none is ever moved.
export const SYNC_ITEM_STATES = [
  'planned',
  'waiting',
  'requested',
  'running',
  'checking',
  'done',
  'skipped',
  'lost',
  'failed',
  'canceled',
  'paused',
] as const;
export type SyncItemState = (typeof SYNC_ITEM_STATES)[number];
/** Nothing more is done with these, unless somebody asks for it. */
export const SYNC_ENDED_STATES = ['done', 'skipped', 'lost', 'failed', 'canceled'] as const;

export const SYNC_WAITS = [
  '',
  'online',
  'window',
  'network',
  'plan',
  /** Somebody watches the device's card. */
  'viewers',
  'turn',
  /** The rule's megabytes of the day are used up. */
  'allowance',
  /** Waits for the next attempt. */
  'retry',
  'disk',
] as const;
export type SyncWait = (typeof SYNC_WAITS)[number];

export const SYNC_FAULTS = [
  '',
  'refused',
  'no-answer',
  'disconnected',
  'nothing-sent',
  'unreadable',
  'incomplete',
  'too-large',
  'disk-full',
  'device-removed',
  /** Canceled, since its rule or its member group doesn't have the device any more. */
  'not-allowed',
  'internal',
] as const;
export type SyncFault = (typeof SYNC_FAULTS)[number];

/** The outcomes of a request, which has that of the part that goes furthest. */
export const SYNC_REQUEST_OUTCOMES = [
  /** Some of the request will be fetched. */
  'planned',
  /** Everything that the server lacks was in the queue already. */
  'queued',
  /** The server has all of it. */
  'here',
  /** The device no longer has what the server lacks. */
  'lost',
] as const;
export type SyncRequestOutcome = (typeof SYNC_REQUEST_OUTCOMES)[number];

export const SYNC_METHODS = ['ftp', 'playback'] as const;
export type SyncMethod = (typeof SYNC_METHODS)[number];

/** Which of the device's recordings a rule fetches. */
export const SYNC_CHOICES = [
  'all',
  /** Recordings that the device marks with an alarm. */
  'alarms',
  /** Around events of some types. */
  'events',
  /** While the ignition was on. */
  'ignition',
  /** What the server should have recorded and has not. */
  'gaps',
] as const;
export type SyncChoice = (typeof SYNC_CHOICES)[number];

export const SYNC_STREAMS = ['any', 'main', 'sub'] as const;
export type SyncStream = (typeof SYNC_STREAMS)[number];

export const SYNC_ITEM_ACTS = ['pause', 'resume', 'cancel', 'retry', 'first', 'last'] as const;
export type SyncItemAct = (typeof SYNC_ITEM_ACTS)[number];

/** What the calendar shows of a part of a day. */
export const SYNC_PLACES = [
  'device',
  'server',
  'both',
  /** Gone from the device, and never fetched. */
  'gone',
  /** A rule will fetch it. */
  'due',
  /** Should have been recorded, and is nowhere. */
  'missing',
] as const;
export type SyncPlace = (typeof SYNC_PLACES)[number];
