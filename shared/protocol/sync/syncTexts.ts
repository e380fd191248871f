// English names, and the keys of their translations (SyncWords.json).
import type { SyncChoice, SyncFault, SyncItemState, SyncMethod, SyncPlace, SyncStream, SyncWait } from './syncWords.ts';

export const SYNC_STATE_NAMES: Readonly<Record<SyncItemState, string>> = {
  planned: 'Planned',
  waiting: 'Waiting',
  requested: 'Requested',
  running: 'Transferring',
  checking: 'Checking',
  done: 'Done',
  skipped: 'Already on the server',
  lost: 'Overwritten on the device',
  failed: 'Failed',
  canceled: 'Canceled',
  paused: 'Paused',
};

export const SYNC_WAIT_NAMES: Readonly<Record<Exclude<SyncWait, ''>, string>> = {
  online: 'Until the device is online',
  window: "Until the rule's hours",
  network: 'Until the device has an allowed network',
  plan: 'Until the data plan starts over',
  viewers: "While the device's recordings are played",
  turn: 'Until other devices are done',
  allowance: "Until tomorrow: today's data is used up",
  retry: 'Until the next attempt',
  disk: 'Until the server has free space',
};

export const SYNC_FAULT_NAMES: Readonly<Record<Exclude<SyncFault, ''>, string>> = {
  refused: 'The device refused',
  'no-answer': 'The device did not answer',
  disconnected: 'Connection lost',
  'nothing-sent': 'The device sent nothing',
  unreadable: 'Not readable as video',
  incomplete: 'Received only in part',
  'too-large': 'Too large',
  'disk-full': 'The disk of the server is full',
  'device-removed': 'The device was deleted',
  'not-allowed': 'No longer allowed',
  internal: 'Error on the server',
};

export const SYNC_METHOD_NAMES: Readonly<Record<SyncMethod, string>> = {
  ftp: 'File transfer (FTP)',
  playback: 'Playback at full speed',
};

export const SYNC_CHOICE_NAMES: Readonly<Record<SyncChoice, string>> = {
  all: 'Everything',
  alarms: 'Recordings with alarms',
  events: 'Around events',
  ignition: 'While the ignition was on',
  gaps: "Gaps in the server's recordings",
};

export const SYNC_STREAM_NAMES: Readonly<Record<SyncStream, string>> = {
  any: 'As the device has it',
  main: 'Main stream',
  sub: 'Sub stream',
};

export const SYNC_PLACE_NAMES: Readonly<Record<SyncPlace, string>> = {
  device: 'On the device',
  server: 'On the server',
  both: 'On both',
  gone: 'Overwritten',
  due: 'To be fetched',
  missing: 'Missing',
};

export const SYNC_TEXTS: readonly string[] = [
  SYNC_STATE_NAMES,
  SYNC_WAIT_NAMES,
  SYNC_FAULT_NAMES,
  SYNC_METHOD_NAMES,
  SYNC_CHOICE_NAMES,
  SYNC_STREAM_NAMES,
  SYNC_PLACE_NAMES,
].flatMap((names) => Object.values<string>(names));
