// The rows of built-in types and reasons for a new installation.

import type { EventIcon, EventSound } from '../../../shared/protocol/api/eventTypes.ts';
import {
  BUILT_IN_REASON_CODES,
  type BuiltInReason,
  builtInReason,
} from '../../../shared/protocol/events/builtInReasons.ts';
import { BUILT_IN_CODES, type BuiltInType, builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import type { EventCategory, Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { NewEventReason } from '../../store/events/eventReasons.ts';
import type { NewEventType } from '../../store/events/eventTypes.ts';
import { ICON_OF_TYPE } from './builtInIcons.ts';

const CLIP_BEFORE_S = 10;
const CLIP_AFTER_S = 20;
/** Icon of a type that is not in ICON_OF_TYPE. */
const ICON: Readonly<Record<EventCategory, EventIcon>> = {
  safety: 'sos',
  adas: 'lane',
  driver: 'driver',
  tires: 'tire',
  video: 'camera',
  device: 'device',
  fence: 'fence',
  system: 'system',
};
const SOUND: Readonly<Record<Severity, EventSound>> = {
  critical: 'siren',
  major: 'alert',
  minor: 'none',
  info: 'none',
};
const NO_NAMES = { nameEn: '', nameZh: '', nameJp: '' } as const;

export function builtInRows(): NewEventType[] {
  return BUILT_IN_CODES.flatMap((code) => builtInRow(code) ?? []);
}

/** Undefined for a type that an administrator made. */
export function builtInRow(code: string): NewEventType | undefined {
  const type = builtInType(code);
  return type === undefined ? undefined : typeRow(code, type);
}

function typeRow(code: string, { category, severity, isOffAtFirst }: BuiltInType): NewEventType {
  return {
    code,
    isBuiltIn: true,
    source: null,
    ...NO_NAMES,
    category,
    severity,
    color: '',
    icon: ICON_OF_TYPE[code] ?? ICON[category],
    sound: SOUND[severity],
    needsAcknowledgment: severity === 'critical' || severity === 'major',
    clipBeforeS: CLIP_BEFORE_S,
    clipAfterS: CLIP_AFTER_S,
    snapshotChannels: [],
    enabled: isOffAtFirst !== true,
  };
}

export function builtInReasonRows(): NewEventReason[] {
  return BUILT_IN_REASON_CODES.flatMap((code) => builtInReasonRow(code) ?? []);
}

/** Undefined for a reason that an administrator made. */
export function builtInReasonRow(code: string): NewEventReason | undefined {
  const reason = builtInReason(code);
  return reason === undefined ? undefined : reasonRow(code, reason);
}

function reasonRow(code: string, { isFalseAlarm }: BuiltInReason): NewEventReason {
  return { code, isBuiltIn: true, ...NO_NAMES, isFalseAlarm: isFalseAlarm === true, enabled: true };
}
