import { type ReactNode, useState } from 'react';
import type { RecordClient, RecordVersion } from '../../api/recordClient.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { FormDialog, type FormDialogProps } from './FormDialog.tsx';
import type { Problems } from './formState.ts';
import { conflictFields, type RecordFields } from './recordFields.ts';
import { type Field, type Form, useForm } from './useForm.ts';

/** How a kind of record is edited. */
interface RecordForm<Draft, Content, Row> {
  readonly client: Pick<RecordClient<Content, Row>, 'add' | 'change' | 'read'>;
  readonly fields: RecordFields<Draft>;
  readonly draftOf: (row: Row) => Draft;
  /** The content of a draft without problems. */
  readonly contentOf: (draft: Draft) => Content;
  readonly check: (draft: Draft) => Problems<Draft>;
}

/** What a table's tab opens a record's dialog with. */
export interface OpenedRecord<Row> {
  /** Undefined for a new one. */
  readonly record: Row | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export interface RecordDialogProps<Draft, Content, Row>
  extends OpenedRecord<Row>,
    Pick<FormDialogProps<Draft>, 'maxWidth'> {
  readonly kind: RecordForm<Draft, Content, Row>;
  /** What the form of a new record begins with. */
  readonly blank: Draft;
  readonly titleOf: (record: Row | undefined) => string;
  readonly children: (inputs: RecordInputs<Draft>) => ReactNode;
}

export interface RecordInputs<Draft> {
  readonly form: Form<Draft>;
  readonly isNew: boolean;
  /** The field and its label, as inputs take them. */
  input<Name extends keyof Draft & string>(name: Name): { readonly field: Field<Draft[Name]>; readonly label: string };
}

/** The form of a versioned record, and the dialog that settles what another member has changed meanwhile. */
export function RecordDialog<Draft extends object, Content, Row extends RecordVersion>(
  props: RecordDialogProps<Draft, Content, Row>,
) {
  const { kind, record: opened, blank, titleOf, maxWidth = 'sm', onSaved, onClose, children } = props;
  const { client, fields, draftOf, contentOf, check } = kind;
  const [record, setRecord] = useState(opened);
  const form = useForm<Draft>({ initial: opened === undefined ? blank : draftOf(opened), check });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOf(draft);
      return record === undefined ? client.add(content) : client.change(record, content);
    });
    if (saved !== undefined) onSaved();
  };
  const current = form.conflict === undefined ? undefined : client.read(form.conflict);
  return (
    <FormDialog
      title={titleOf(record)}
      form={form}
      always={record === undefined}
      maxWidth={maxWidth}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {children({
        form,
        isNew: record === undefined,
        input: (name) => ({ field: form.field(name), label: fields[name].label }),
      })}
      {current !== undefined && (
        <ConflictDialog<Draft>
          versions={{ base: form.base, mine: form.values, theirs: draftOf(current) }}
          fields={conflictFields(fields)}
          onChoose={(values) => {
            setRecord(current);
            form.rebase(draftOf(current), values);
          }}
          onClose={form.dismissConflict}
        />
      )}
    </FormDialog>
  );
}
