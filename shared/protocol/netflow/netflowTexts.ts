// English names, and the keys of their translations (NetflowWords.json).
import type { NetflowKind, PlanAction } from './netflowWords.ts';

export const NETFLOW_KIND_NAMES: Readonly<Record<NetflowKind, string>> = {
  signalling: 'Signaling',
  position: 'Positions',
  live: 'Live video',
  recording: 'Recording without viewers',
  playback: 'Remote playback',
  talk: 'Talk',
  attachments: 'Event files',
  sync: 'Data sync',
  firmware: 'Firmware',
};

export const PLAN_ACTION_NAMES: Readonly<Record<PlanAction, string>> = {
  none: 'Nothing',
  'sub-stream': 'Sub stream only',
  'events-only': 'Video of events only',
  'no-video': 'No video',
  'no-transfers': 'No data sync or firmware',
};
