// The strings a user's permission list is made of, and what they open. The gateway checks by them, the pages hide by
// them; a string that is not listed here opens nothing and harms nothing.
export const Permission = {
  Event: 'event',
  Report: 'report',
  FirmwareUpdate: 'fwupdate',
  Datasync: 'datasync',
  Netflow: 'netflow',
  /** Opens nothing alone: every admin page needs it beside its own permission. */
  System: 'system',
  DeviceGroup: 'devicegroup',
  Member: 'member',
  EventConfig: 'eventconfig',
  EventNotifyConfig: 'eventnotifyconfig',
  EventDefine: 'eventdefine',
  Fence: 'fence',
  Version: 'gmsversion',
  Sender: 'sender',
  Template: 'template',
  SystemBackup: 'sysbackup',
  /** Loading and switching one's own member groups. */
  MemberGroup: 'membergroup',
  // Additions of ours, beside those that the specification names.
  Export: 'export',
  Evidence: 'evidence',
  Link: 'link',
  Audit: 'audit',
  /** Speaking into a vehicle and listening there. */
  Talk: 'talk',
  /** Texts and questions to drivers, also those that events send. */
  DeviceText: 'devicetext',
} as const;
export type Permission = (typeof Permission)[keyof typeof Permission];

export const ALL_PERMISSIONS: readonly Permission[] = Object.values(Permission);
