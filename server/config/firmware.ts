// Firmware of devices, and files that members hand in.
import { FIRMWARE_APPROVALS } from '../../shared/protocol/firmware/firmwareWords.ts';
import { integer, oneOf, optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const firmwareVariables = {
  firmwareApproval: variable({
    name: 'FIRMWARE_APPROVAL',
    preset: 'second',
    parser: oneOf(...FIRMWARE_APPROVALS),
    about: 'Who approves a firmware task. second: a member who has not edited it; any: its author too.',
  }),
  uploadMaxMb: variable({
    name: 'UPLOAD_MAX_MB',
    preset: '10240',
    parser: integer(16, 1_000_000_000),
    about: 'Maximum megabytes of all unfinished uploads together. They are removed after a day.',
  }),
  firmwareUrl: variable({
    name: 'FIRMWARE_URL',
    preset: '',
    parser: optional(
      textOf(
        'an address such as http://fleet.example:8081',
        /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/[\w./-]*)?$/i,
      ),
    ),
    about:
      'Address at which terminals download firmware. Unset: PUBLIC_HOST, or the address that they connected to, and PORT.',
  }),
};
