// Firmware of devices: who may let an update begin.
import { FIRMWARE_APPROVALS } from '../../shared/protocol/firmware/firmwareWords.ts';
import { oneOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const firmwareVariables = {
  firmwareApproval: variable({
    name: 'FIRMWARE_APPROVAL',
    preset: 'second',
    parser: oneOf(...FIRMWARE_APPROVALS),
    about: 'Who approves a firmware task. second: a member who has not edited it; any: its author too.',
  }),
};
