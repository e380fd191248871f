import type { EventReasonContent, EventTypeContent } from '../../shared/protocol/api/eventTypes.ts';

/** What an administrator may send for a type of their own. */
export function anyEventType(changes: Partial<EventTypeContent> = {}): EventTypeContent {
  return {
    nameEn: 'Ramp down',
    nameZh: '',
    nameJp: '',
    category: 'safety',
    severity: 'major',
    color: '#1d6b34',
    icon: 'door',
    sound: 'alert',
    needsAcknowledgment: true,
    clipBeforeS: 5,
    clipAfterS: 30,
    snapshotChannels: [1, 3],
    enabled: true,
    source: {
      kind: 'position-item',
      itemId: 0xe1,
      match: { offset: 0, width: 1, mask: 4, value: 4 },
      form: 'held',
    },
    ...changes,
  };
}

export function anyReason(changes: Partial<EventReasonContent> = {}): EventReasonContent {
  return { nameEn: 'Wash bay', nameZh: '', nameJp: '', isFalseAlarm: false, enabled: true, ...changes };
}
