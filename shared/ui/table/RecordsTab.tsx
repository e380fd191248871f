import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { type ComponentType, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../api/client.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { ChunkBoundary } from '../chunks.tsx';
import type { OpenedRecord } from '../form/RecordDialog.tsx';
import { notify } from '../notifications.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { type TableOptions, useTable } from './useTable.ts';

/** What the tab says of its records; the rest is the same for each kind. */
interface RecordTexts {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly add: string;
  readonly saved: string;
  /** What removing a record does, and whether it can be undone. */
  readonly removing: string;
  readonly removed: string;
  readonly emptyHint: string;
}

export interface RecordsTabProps<Row>
  extends Pick<DataTableProps<Row>, 'columns' | 'csvPath' | 'searchHint' | 'hasTimes' | 'hasTwoLines'> {
  readonly list: TableOptions<Row>;
  readonly texts: RecordTexts;
  readonly remove: (row: Row) => Promise<ApiResult<unknown>>;
  /** The record's dialog, loaded once it is opened. */
  readonly Dialog: ComponentType<OpenedRecord<Row>>;
}

type Opened<Row> = { readonly kind: 'edit' | 'remove'; readonly record: Row } | { readonly kind: 'new' };

/** A table of named records that are added, changed and removed. */
export function RecordsTab<Row extends { readonly id: number; readonly name: string }>(props: RecordsTabProps<Row>) {
  const { list, texts, remove, Dialog, ...shown } = props;
  const { t } = useTranslation('Table');
  const [opened, setOpened] = useState<Opened<Row>>();
  const table = useTable(list);
  const close = () => setOpened(undefined);
  const done = (text: string) => {
    close();
    notify('success', text);
    table.reload();
  };
  const edit = (record: Row) => setOpened({ kind: 'edit', record });
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpened({ kind: 'new' })}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <DataTable
        {...shown}
        table={table}
        label={texts.label}
        rowId={({ id }) => id}
        onOpen={edit}
        actions={(record) => [
          { icon: <Edit />, label: t('Edit {{name}}', { name: record.name }), onClick: () => edit(record) },
          {
            icon: <Delete />,
            label: t('Delete {{name}}', { name: record.name }),
            onClick: () => setOpened({ kind: 'remove', record }),
          },
        ]}
        toolbar={add}
        emptyHint={texts.emptyHint}
        emptyAction={add}
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && opened.kind !== 'remove' && (
            <Dialog
              record={opened.kind === 'edit' ? opened.record : undefined}
              onSaved={() => done(texts.saved)}
              onClose={close}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {opened?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: opened.record.name })}
          text={texts.removing}
          action={t('Delete')}
          danger
          onConfirm={() => remove(opened.record)}
          onDone={() => done(texts.removed)}
          onClose={close}
        />
      )}
    </>
  );
}
