// Names of fields that stand in the audit's entries. A page says each in the user's language; one that is missing here
// is shown as it is.

export const AUDIT_FIELDS = [
  ...(['name', 'displayName', 'role', 'groups', 'language', 'timeZone', 'expiresAtMs', 'disabled'] as const),
  ...(['wallMonitorAllowed', 'permissions', 'secondFactorRequired', 'secondFactorForAll'] as const),
  ...(['retentionDays', 'deviceGroups', 'added', 'removed', 'by', 'ended', 'codesLeft'] as const),
  ...(['address', 'attempts', 'userAgent', 'reason', 'userExists'] as const),
  ...(['id', 'deviceid', 'channels', 'channel', 'kinds', 'untilMs', 'note', 'owner', 'fromMs', 'toMs'] as const),
  ...(['plate', 'terminal', 'edition', 'model', 'sim', 'group', 'parent', 'chn', 'channelNames'] as const),
  ...(['installchs', 'ptzchs', 'talkchs', 'icon', 'notes', 'anyMediaAddress', 'recording', 'recordings'] as const),
  'channelsFromZero',
  ...(['devices', 'manufacturer', 'terminalId', 'encoding', 'counts', 'memberGroup', 'moveTo'] as const),
  ...(['changed', 'changes', 'column', 'from', 'to', 'unchanged', 'refused'] as const),
  ...(['device', 'policy', 'mode', 'quality', 'schedule', 'days', 'fromMinute', 'toMinute'] as const),
  ...(['connected', 'result', 'milliseconds'] as const),
] as const;
