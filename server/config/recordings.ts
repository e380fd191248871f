// What is recorded, where, and how long it is kept.
import { integer, oneOf, optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const recordingVariables = {
  recordingDir: variable({
    name: 'RECORDING_DIR',
    preset: '',
    parser: optional(textOf('a path', /./)),
    about: 'Folder for recordings. Unset: recordings under DATA_DIR.',
  }),
  recording: variable({
    name: 'RECORDING',
    preset: 'off',
    parser: oneOf('off', 'always', 'ignition'),
    about: 'When devices without their own recording settings are recorded, until an administrator sets it.',
  }),
  recordingRetentionDays: variable({
    name: 'RECORDING_RETENTION_DAYS',
    preset: '0',
    parser: integer(0, 36_500),
    about: 'Days to keep their recordings; a member group can have fewer. 0: until space runs out.',
  }),
  recordingMinFreeMb: variable({
    name: 'RECORDING_MIN_FREE_MB',
    preset: '2048',
    parser: integer(16, 1_000_000_000),
    about: 'Megabytes to keep free on the recording disk. The oldest recordings are deleted, evidence never.',
  }),
  recordingMaxMb: variable({
    name: 'RECORDING_MAX_MB',
    preset: '0',
    parser: integer(0, 1_000_000_000_000),
    about: 'Maximum megabytes of all recordings. 0: no limit.',
  }),
  evidenceMaxMb: variable({
    name: 'EVIDENCE_MAX_MB',
    preset: '51200',
    parser: integer(0, 1_000_000_000_000),
    about:
      'Maximum megabytes of all recordings held as evidence. Members hold half of it for any member group, and beyond that an equal share for each. 0: no limit.',
  }),
  recordingSyncSeconds: variable({
    name: 'RECORDING_SYNC_SECONDS',
    preset: '5',
    parser: integer(1, 60),
    about: 'Seconds between syncs of recordings to disk. A power cut costs at most that and a little more.',
  }),
};
