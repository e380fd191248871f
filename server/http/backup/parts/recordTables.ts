import type { PartRecordKind } from '../../../../shared/protocol/backup/partWords.ts';

/** Where the records of a kind lie: as many rows as there are records. */
export const RECORD_TABLES: Readonly<Record<PartRecordKind, string>> = {
  'device-group': 'device_group',
  device: 'device',
  role: 'role',
  'member-group': 'member_group',
  member: 'app_user',
  fence: 'fence',
  'event-type': 'event_type',
  'event-reason': 'event_reason',
  'event-rule': 'event_rule',
  template: 'notify_template',
  sender: 'notify_sender',
};
