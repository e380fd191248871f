// An audit entry's fields as rows of text. Their content may come from anywhere: it is shown as text and nothing else.
import { listText } from '../../../../shared/i18n/listText.ts';
import type { AuditFields, AuditRow } from '../../../../shared/protocol/api/audit.ts';

export interface ChangeRow {
  /** Name of the field as the reader knows it. */
  readonly field: string;
  /** Undefined where the field was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The wording of fields and their values in the reader's language and zone. */
export interface FieldWords {
  readonly fieldName: (field: string) => string;
  /** The text of a field: in words where the protocol has a name for it, otherwise unchanged. */
  readonly value: (field: string, text: string) => string;
  readonly moment: (atMs: number) => string;
  readonly yes: string;
  readonly no: string;
}

/** The fields that a change touched, in the alphabetical order of their own names. */
export function changeRows(
  { before, after }: Pick<AuditRow, 'before' | 'after'>,
  words: FieldWords,
): readonly ChangeRow[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return names.map((name) => ({
    field: words.fieldName(name),
    before: textIn(before, name, words),
    after: textIn(after, name, words),
  }));
}

export function detailRows(
  detail: AuditFields,
  words: FieldWords,
): readonly { readonly field: string; readonly text: string }[] {
  return Object.keys(detail)
    .sort()
    .map((name) => ({ field: words.fieldName(name), text: textIn(detail, name, words) ?? '' }));
}

/** One line that describes a change, for a table's cell. */
export function changeSummary(row: Pick<AuditRow, 'before' | 'after' | 'detail'>, words: FieldWords): string {
  const changes = changeRows(row, words).map(({ field, before, after }) => {
    if (before === undefined) return `${field}: ${after}`;
    return after === undefined ? `${field}: ${before} →` : `${field}: ${before} → ${after}`;
  });
  const details = detailRows(row.detail, words).map(({ field, text }) => `${field}: ${text}`);
  return [...changes, ...details].join('; ');
}

function textIn(fields: AuditFields | null, name: string, words: FieldWords): string | undefined {
  if (fields === null || !Object.hasOwn(fields, name)) return undefined;
  return textOfField(name, fields[name], words);
}

function textOfField(name: string, value: unknown, words: FieldWords): string {
  switch (typeof value) {
    case 'boolean':
      return value ? words.yes : words.no;
    case 'number':
      // Names of times end this way; 0 stands for none.
      return /Ms$/.test(name) ? (value === 0 ? NONE : words.moment(value)) : String(value);
    case 'string':
      return words.value(name, value) || NONE;
    case 'object':
      return value === null ? NONE : textOfParts(name, value, words) || NONE;
    default:
      return String(value);
  }
}

const NONE = '–';

/** A list's items are separated by commas, records in it by semicolons, since they contain commas themselves. */
function textOfParts(name: string, value: object, words: FieldWords): string {
  if (Array.isArray(value)) {
    const isOfRecords = value.some((item) => typeof item === 'object' && item !== null);
    const texts = value.map((item) => textOfField(name, item, words));
    return isOfRecords ? texts.join('; ') : listText(texts);
  }
  const parts = Object.entries(value);
  return listText(parts.map(([part, inner]) => `${words.fieldName(part)}: ${textOfField(part, inner, words)}`));
}
