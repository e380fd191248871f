// A closing reason's form as data, and the table of reasons.
import type { EventReason, EventReasonContent } from '../../../../shared/protocol/api/eventTypes.ts';
import { builtInReason } from '../../../../shared/protocol/events/builtInReasons.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import type { LocalList } from '../../../../shared/ui/table/localPage.ts';

/** With the name in the user's language. */
export interface ReasonRow extends EventReason {
  readonly name: string;
}

export const NEW_REASON: EventReasonContent = {
  nameEn: '',
  nameZh: '',
  nameJp: '',
  isFalseAlarm: false,
  enabled: true,
};

export function draftOfReason(reason: EventReason): EventReasonContent {
  const { nameEn, nameZh, nameJp, isFalseAlarm, enabled } = reason;
  return { nameEn, nameZh, nameJp, isFalseAlarm, enabled };
}

export function reasonOfDraft(draft: EventReasonContent): EventReasonContent {
  return { ...draft, nameEn: draft.nameEn.trim(), nameZh: draft.nameZh.trim(), nameJp: draft.nameJp.trim() };
}

export function checkReason(
  { nameEn }: EventReasonContent,
  noName: string,
  isBuiltIn: boolean,
): Problems<EventReasonContent> {
  return { nameEn: !isBuiltIn && nameEn.trim() === '' ? noName : undefined };
}

/** `compare` sorts names as the user's language does. */
export function reasonList(
  rows: readonly ReasonRow[],
  compare: (left: string, right: string) => number,
): LocalList<ReasonRow> {
  const byName = (left: ReasonRow, right: ReasonRow) => compare(left.name, right.name) || left.id - right.id;
  const by = (rank: (row: ReasonRow) => boolean) => (left: ReasonRow, right: ReasonRow) =>
    Number(rank(right)) - Number(rank(left)) || byName(left, right);
  return {
    rows,
    keyOf: ({ id }) => String(id),
    texts: ({ name, nameEn, nameZh, nameJp, code }) => [name, nameEn, nameZh, nameJp, builtInReason(code)?.name ?? ''],
    matches: () => true,
    orders: {
      name: byName,
      isFalseAlarm: by(({ isFalseAlarm }) => isFalseAlarm),
      enabled: by(({ enabled }) => enabled),
      isBuiltIn: by(({ isBuiltIn }) => !isBuiltIn),
    },
  };
}
