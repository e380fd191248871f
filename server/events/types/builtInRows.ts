import { BUILT_IN_CODES, builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import type { EventCategory, Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { NewEventType } from '../../store/events/eventTypes.ts';

const CLIP_BEFORE_S = 10;
const CLIP_AFTER_S = 20;
const ICON: Readonly<Record<EventCategory, string>> = {
  safety: 'sos',
  adas: 'lane',
  driver: 'driver',
  tires: 'tire',
  video: 'camera',
  device: 'device',
  fence: 'fence',
  system: 'system',
};
const SOUND: Readonly<Record<Severity, string>> = { critical: 'siren', major: 'alert', minor: 'none', info: 'none' };

/** The built-in types as a new installation has them. */
export function builtInRows(): NewEventType[] {
  return BUILT_IN_CODES.flatMap((code) => {
    const type = builtInType(code);
    if (type === undefined) return [];
    const { category, severity } = type;
    return {
      code,
      isBuiltIn: true,
      source: '',
      nameEn: '',
      nameZh: '',
      nameJp: '',
      category,
      severity,
      color: '',
      icon: ICON[category],
      sound: SOUND[severity],
      needsAcknowledgment: severity === 'critical' || severity === 'major',
      clipBeforeS: CLIP_BEFORE_S,
      clipAfterS: CLIP_AFTER_S,
      snapshotChannels: [],
      enabled: type.isOffAtFirst !== true,
    };
  });
}
