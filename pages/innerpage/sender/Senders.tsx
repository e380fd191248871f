import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listSenders, removeSender } from '../../../shared/api/notify/senders.ts';
import { senderKindText } from '../../../shared/i18n/notifyWordText.ts';
import { SENDERS_PATH, type Sender } from '../../../shared/protocol/api/notify/senders.ts';
import { SENDER_KINDS, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../shared/ui/table/useTable.ts';
import { SenderDialog } from './form/SenderDialog.tsx';
import { useSenderColumns } from './table/senderColumns.tsx';
import { useSenderActions } from './table/useSenderActions.tsx';

type Open = { readonly kind: 'edit' | 'remove'; readonly sender: Sender } | { readonly kind: 'new' };

/** How many messages wait, and whether a sender fails, changes without anybody changing a sender. */
const REFRESH_MS = 15_000;

export function Senders() {
  const { t } = useTranslation('Sender');
  const [kind, setKind] = useState<SenderKind | ''>('');
  const [open, setOpen] = useState<Open>();
  const table = useSenderTable(kind);
  const done = (text: string) => {
    setOpen(undefined);
    notify('success', text);
    table.reload();
  };
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpen({ kind: 'new' })}>
      {t('Add sender')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Senders')}
        columns={useSenderColumns()}
        rowId={({ id }) => id}
        onOpen={(sender) => setOpen({ kind: 'edit', sender })}
        actions={useSenderActions({
          onEdit: (sender) => setOpen({ kind: 'edit', sender }),
          onRemove: (sender) => setOpen({ kind: 'remove', sender }),
          onTurned: done,
          onFailed: table.reload,
        })}
        filters={
          <FilterSelect
            label={t('Kind')}
            value={kind}
            onChange={setKind}
            options={SENDER_KINDS.map((each) => ({ value: each, label: senderKindText(each) }))}
          />
        }
        onClearFilters={() => setKind('')}
        toolbar={add}
        emptyHint={t('No senders yet. Add one.')}
        emptyAction={add}
        searchHint={t('Name')}
        csvPath={SENDERS_PATH}
        hasTimes
      />
      {(open?.kind === 'edit' || open?.kind === 'new') && (
        <SenderDialog
          sender={open.kind === 'edit' ? open.sender : undefined}
          onSaved={() => done(t('Sender saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: open.sender.name })}
          text={t("Only a sender that no notification rule uses can be deleted. This can't be undone.")}
          action={t('Delete')}
          danger
          onConfirm={() => removeSender(open.sender)}
          onDone={() => done(t('Sender deleted.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function useSenderTable(kind: SenderKind | '') {
  return useTable({
    name: 'senders',
    load: listSenders,
    sorting: { column: 'name', descending: false },
    filters: useMemo(() => (kind === '' ? {} : { kind }), [kind]),
    changedBy: ['sender'],
    everyMs: REFRESH_MS,
  });
}
