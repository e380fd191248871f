// Event types as pages and members see them.
import {
  EVENT_ICONS,
  EVENT_SOUNDS,
  type EventTypeName,
  type EventTypeRecord,
} from '../../../shared/protocol/api/eventTypes.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';

export function recordOfType(type: StoredEventType): EventTypeRecord {
  const builtIn = builtInType(type.code);
  return { ...type, ...looksOf(type), unit: builtIn?.unit ?? 'none', hasRule: builtIn?.hasRule ?? false };
}

export function nameOfType(type: StoredEventType): EventTypeName {
  const { code, nameEn, nameZh, nameJp, category, severity, color, clipBeforeS, clipAfterS } = type;
  const { needsAcknowledgment } = type;
  const unit = builtInType(code)?.unit ?? 'none';
  const names = { nameEn, nameZh, nameJp };
  const clip = { clipBeforeS, clipAfterS };
  return { code, ...names, category, severity, unit, color, ...looksOf(type), ...clip, needsAcknowledgment };
}

/** The store keeps them as texts, and one from a later version may be unknown here. */
function looksOf({ icon, sound }: StoredEventType): Pick<EventTypeRecord, 'icon' | 'sound'> {
  return {
    icon: EVENT_ICONS.find((each) => each === icon) ?? 'flag',
    sound: EVENT_SOUNDS.find((each) => each === sound) ?? 'none',
  };
}
