// Parts of a backup that can be imported into a running installation: words for programs, which pages translate.
import { Permission } from '../permissions.ts';
import { BACKUP_FAULTS } from './backupWords.ts';

/** `members`: with roles and member groups; `events`: types, reasons and rules. */
export const BACKUP_PARTS = ['devices', 'members', 'fences', 'events', 'templates', 'senders'] as const;
export type BackupPart = (typeof BACKUP_PARTS)[number];

/** Beside `system` and `sysbackup`: what changing such records by hand takes. */
export const PART_PERMISSIONS: Readonly<Record<BackupPart, readonly Permission[]>> = {
  devices: [Permission.DeviceGroup],
  members: [Permission.Member],
  fences: [Permission.Fence],
  events: [Permission.EventDefine, Permission.EventConfig],
  templates: [Permission.Template],
  senders: [Permission.Sender],
};

/** In the order in which they are imported: what others refer to comes first. */
export const PART_RECORDS = [
  'device-group',
  'device',
  'role',
  'member-group',
  'member',
  'fence',
  'event-type',
  'event-reason',
  'event-rule',
  'template',
  'sender',
] as const;
export type PartRecordKind = (typeof PART_RECORDS)[number];

export const PARTS_STATES = ['running', 'failed', 'ready', 'importing', 'done'] as const;
export type PartsState = (typeof PARTS_STATES)[number];

/** Why there is no dry run. `too-many-rows`: the parts have more records than an import may have. */
export const PARTS_FAULTS = [...BACKUP_FAULTS, 'too-many-rows'] as const;
export type PartsFault = (typeof PARTS_FAULTS)[number];
