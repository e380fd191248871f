// The table of event types as data: what is searched, filtered and sorted.
import type { EventTypeRecord } from '../../../../shared/protocol/api/eventTypes.ts';
import { builtInType } from '../../../../shared/protocol/events/builtInTypes.ts';
import {
  EVENT_CATEGORIES,
  type EventCategory,
  SEVERITIES,
  type Severity,
} from '../../../../shared/protocol/events/eventWords.ts';
import type { LocalList } from '../../../../shared/ui/table/localPage.ts';

/** With the name in the user's language. */
export interface TypeRow extends EventTypeRecord {
  readonly name: string;
}

/** '' for all. */
export interface TypesFilter {
  readonly category: EventCategory | '';
  readonly severity: Severity | '';
  readonly state: 'on' | 'off' | '';
}

export const NO_FILTER: TypesFilter = { category: '', severity: '', state: '' };

/** `compare` sorts names as the user's language does. */
export function typeList(
  rows: readonly TypeRow[],
  compare: (left: string, right: string) => number,
): LocalList<TypeRow> {
  const byName = (left: TypeRow, right: TypeRow) => compare(left.name, right.name) || compare(left.code, right.code);
  const by = (rank: (row: TypeRow) => number) => (left: TypeRow, right: TypeRow) =>
    rank(left) - rank(right) || byName(left, right);
  return {
    rows,
    keyOf: ({ code }) => code,
    texts: ({ name, nameEn, nameZh, nameJp, code }) => [name, nameEn, nameZh, nameJp, builtInType(code)?.name ?? ''],
    matches: (row, { category, severity, state }) =>
      isOneOf(row.category, category) && isOneOf(row.severity, severity) && isOneOf(row.enabled ? 'on' : 'off', state),
    orders: {
      name: byName,
      category: by(({ category }) => EVENT_CATEGORIES.indexOf(category)),
      severity: by(({ severity }) => SEVERITIES.indexOf(severity)),
      needsAcknowledgment: by(({ needsAcknowledgment }) => (needsAcknowledgment ? 0 : 1)),
      enabled: by(({ enabled }) => (enabled ? 0 : 1)),
      isBuiltIn: by(({ isBuiltIn }) => (isBuiltIn ? 1 : 0)),
    },
  };
}

function isOneOf(value: string, wanted: unknown): boolean {
  return wanted === undefined || wanted === '' || wanted === value;
}
