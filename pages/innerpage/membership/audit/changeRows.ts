// An audit entry's fields as rows of text. What stands in them came from anywhere: it is shown as text and nothing else.
import type { AuditFields, AuditRow } from '../../../../shared/protocol/api/audit.ts';

export interface ChangeRow {
  readonly field: string;
  /** Undefined where the field was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The fields that a change touched, in alphabetical order. */
export function changeRows({ before, after }: Pick<AuditRow, 'before' | 'after'>): readonly ChangeRow[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return names.map((field) => ({ field, before: textIn(before, field), after: textIn(after, field) }));
}

export function detailRows(detail: AuditFields): readonly { readonly field: string; readonly text: string }[] {
  return Object.keys(detail)
    .sort()
    .map((field) => ({ field, text: textIn(detail, field) ?? '' }));
}

/** One line that says what a change was, for a table's cell. */
export function changeSummary(row: Pick<AuditRow, 'before' | 'after' | 'detail'>): string {
  const changes = changeRows(row).map(({ field, before, after }) => {
    if (before === undefined) return `${field}: ${after}`;
    return after === undefined ? `${field}: ${before} →` : `${field}: ${before} → ${after}`;
  });
  const details = detailRows(row.detail).map(({ field, text }) => `${field}: ${text}`);
  return [...changes, ...details].join('; ');
}

function textIn(fields: AuditFields | null, name: string): string | undefined {
  if (fields === null || !Object.hasOwn(fields, name)) return undefined;
  const value = fields[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}
