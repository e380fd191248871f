// An event type's form as data.
import {
  type EventIcon,
  type EventSound,
  type EventTypeContent,
  type EventTypeRecord,
  MAX_CLIP_SECONDS,
} from '../../../../shared/protocol/api/eventTypes.ts';
import type { EventCategory, Severity } from '../../../../shared/protocol/events/eventWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { checkSource, NEW_SOURCE, type SourceDraft, type SourceTexts, sourceDraftOf, sourceOf } from './sourceForm.ts';

export interface TypeDraft extends SourceDraft {
  readonly nameEn: string;
  readonly nameZh: string;
  readonly nameJp: string;
  readonly category: EventCategory;
  readonly severity: Severity;
  readonly color: string;
  readonly icon: EventIcon;
  readonly sound: EventSound;
  readonly needsAcknowledgment: boolean;
  readonly clipBeforeS: number | null;
  readonly clipAfterS: number | null;
  /** Channel numbers. */
  readonly snapshotChannels: readonly string[];
  readonly enabled: boolean;
}

export const NEW_TYPE: TypeDraft = {
  nameEn: '',
  nameZh: '',
  nameJp: '',
  category: 'device',
  severity: 'minor',
  color: '',
  icon: 'flag',
  sound: 'none',
  needsAcknowledgment: false,
  clipBeforeS: 10,
  clipAfterS: 20,
  snapshotChannels: [],
  enabled: true,
  ...NEW_SOURCE,
};

export function draftOfType(type: EventTypeRecord): TypeDraft {
  const { nameEn, nameZh, nameJp, category, severity, color, icon, sound, source, enabled } = type;
  const { needsAcknowledgment, clipBeforeS, clipAfterS } = type;
  const names = { nameEn, nameZh, nameJp };
  const evidence = { clipBeforeS, clipAfterS, snapshotChannels: type.snapshotChannels.map(String) };
  const found = source === null ? NEW_SOURCE : sourceDraftOf(source);
  return { ...names, category, severity, color, icon, sound, needsAcknowledgment, ...evidence, enabled, ...found };
}

/** The content of a draft without problems. */
export function typeOfDraft(draft: TypeDraft, isBuiltIn: boolean): EventTypeContent {
  const { category, severity, color, icon, sound, needsAcknowledgment, enabled } = draft;
  const channels = draft.snapshotChannels.map(Number).sort((left, right) => left - right);
  return {
    nameEn: draft.nameEn.trim(),
    nameZh: draft.nameZh.trim(),
    nameJp: draft.nameJp.trim(),
    category,
    severity,
    color,
    icon,
    sound,
    needsAcknowledgment,
    clipBeforeS: draft.clipBeforeS ?? 0,
    clipAfterS: draft.clipAfterS ?? 0,
    snapshotChannels: channels,
    enabled,
    source: isBuiltIn ? null : sourceOf(draft),
  };
}

/** The record's content for the call, with another state. */
export function contentWith(type: EventTypeRecord, enabled: boolean): EventTypeContent {
  return { ...typeOfDraft(draftOfType(type), type.isBuiltIn), enabled };
}

export interface TypeTexts extends SourceTexts {
  readonly noName: string;
  readonly badSeconds: string;
}

export function checkType(draft: TypeDraft, texts: TypeTexts, isBuiltIn: boolean): Problems<TypeDraft> {
  const common = {
    clipBeforeS: isClip(draft.clipBeforeS) ? undefined : texts.badSeconds,
    clipAfterS: isClip(draft.clipAfterS) ? undefined : texts.badSeconds,
  };
  if (isBuiltIn) return common;
  const nameEn = draft.nameEn.trim() === '' ? texts.noName : undefined;
  return { ...common, nameEn, ...checkSource(draft, texts) };
}

function isClip(seconds: number | null): boolean {
  return seconds !== null && Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_CLIP_SECONDS;
}
