// Why the gateway does not take a field: `data.fields` of a refusal names one of these for each.

import { TEXT_PROBLEMS } from './notify/templateCheck.ts';

export const FIELD_CODES = [
  'required',
  'taken',
  'too-long',
  'too-short',
  'out-of-range',
  'bad-format',
  'unknown',
  'in-the-past',
  'not-allowed',
  // Codes for accounts.
  'beyond-own',
  'device-group-not-yours',
  'own-account',
  'wrong-code',
  'common-password',
  // Codes for backups.
  'wrong-key',
  // Codes for templates.
  ...TEXT_PROBLEMS,
] as const;

export type FieldCode = (typeof FIELD_CODES)[number];
