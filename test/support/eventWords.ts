import type { EventWords } from '../../shared/protocol/api/eventTypes.ts';

const NAMES = { nameEn: '', nameZh: '', nameJp: '' };
const TYPE = { ...NAMES, color: '', clipBeforeS: 10, clipAfterS: 20, needsAcknowledgment: true } as const;
/** A few types and reasons, as the gateway gives them. */
export const EVENT_WORDS: EventWords = {
  types: [
    { ...TYPE, code: 'speeding', category: 'safety', severity: 'major', unit: 'none', icon: 'speed', sound: 'alert' },
    { ...TYPE, code: 'emergency', category: 'safety', severity: 'critical', unit: 'none', icon: 'sos', sound: 'siren' },
    {
      ...TYPE,
      code: 'video-loss',
      category: 'video',
      severity: 'major',
      unit: 'channel',
      icon: 'camera',
      sound: 'none',
    },
  ],
  reasons: [
    { ...NAMES, id: 1, version: 1, code: 'real', isBuiltIn: true, isFalseAlarm: false, enabled: true },
    { ...NAMES, id: 2, version: 1, code: 'false-alarm', isBuiltIn: true, isFalseAlarm: true, enabled: true },
  ],
};
