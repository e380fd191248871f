// The fields of a record, each declared once: the form, the conflict dialog and the table take its label and its text from here.
import type { Column } from '../table/column.ts';
import type { ConflictField } from './ConflictDialog.tsx';

interface RecordField<Draft> {
  readonly label: string;
  /** Its value as text. */
  readonly show: (draft: Draft) => string;
  /** Its column; left out, the table does not show it. */
  readonly column?: Omit<Column<never>, 'name' | 'title' | 'text' | 'render'>;
}

/** In the order in which a table and a conflict show them. */
export type RecordFields<Draft> = { readonly [Name in keyof Draft & string]: RecordField<Draft> };

export function conflictFields<Draft>(fields: RecordFields<Draft>): ConflictField<Draft>[] {
  return entriesOf(fields).map(([name, { label, show }]) => ({ name, label, show }));
}

export function recordColumns<Draft, Row>(fields: RecordFields<Draft>, draftOf: (row: Row) => Draft): Column<Row>[] {
  return entriesOf(fields).flatMap(([name, { label, show, column }]) =>
    column === undefined ? [] : [{ ...column, name, title: label, text: (row) => show(draftOf(row)) }],
  );
}

function entriesOf<Draft>(fields: RecordFields<Draft>) {
  return Object.entries(fields) as [keyof Draft & string, RecordField<Draft>][];
}
