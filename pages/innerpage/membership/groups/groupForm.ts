// A member group's form as data.
import { type EditedGroup, type GroupContent, MAX_RETENTION_DAYS } from '../../../../shared/protocol/api/accounts.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface GroupDraft {
  readonly name: string;
  readonly deviceGroups: readonly string[];
  /** Null: no limit. */
  readonly retentionDays: number | null;
  readonly expiresAtMs: number | null;
}

export const NEW_GROUP: GroupDraft = { name: '', deviceGroups: [], retentionDays: null, expiresAtMs: null };

export function draftOfGroup({ name, deviceGroups, retentionDays, expiresAtMs }: EditedGroup): GroupDraft {
  return {
    name,
    deviceGroups: deviceGroups.map(String),
    retentionDays: retentionDays === 0 ? null : retentionDays,
    expiresAtMs: expiresAtMs === 0 ? null : expiresAtMs,
  };
}

export function groupOfDraft({ name, deviceGroups, retentionDays, expiresAtMs }: GroupDraft): GroupContent {
  return {
    name: name.trim(),
    deviceGroups: deviceGroups.map(Number),
    retentionDays: retentionDays ?? 0,
    expiresAtMs: expiresAtMs ?? 0,
  };
}

export interface GroupTexts {
  readonly noName: string;
  readonly badDays: string;
  readonly badTimestamp: string;
}

export function checkGroup({ name, retentionDays, expiresAtMs }: GroupDraft, texts: GroupTexts): Problems<GroupDraft> {
  const days = retentionDays ?? 1;
  return {
    name: name.trim() === '' ? texts.noName : undefined,
    retentionDays: Number.isInteger(days) && days >= 1 && days <= MAX_RETENTION_DAYS ? undefined : texts.badDays,
    expiresAtMs: Number.isNaN(expiresAtMs) ? texts.badTimestamp : undefined,
  };
}
