import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeEventType, resetEventType, saveEventType } from '../../../../shared/api/eventTypes.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { RemoveDialog, ResetDialog } from '../EntryDialogs.tsx';
import { useEntryActions } from '../useEntryActions.tsx';
import { TypeDialog } from './TypeDialog.tsx';
import { TypeFilters } from './TypeFilters.tsx';
import { useTypeColumns } from './typeColumns.tsx';
import { contentWith } from './typeForm.ts';
import { NO_FILTER, type TypeRow, type TypesFilter } from './typeRows.ts';
import { useTypesTable } from './useTypesTable.ts';

type Open = { readonly kind: 'edit' | 'reset' | 'remove'; readonly type: TypeRow } | { readonly kind: 'new' };

export function TypesTab() {
  const { t } = useTranslation('EventDefine');
  const [filter, setFilter] = useState<TypesFilter>(NO_FILTER);
  const [open, setOpen] = useState<Open>();
  const table = useTypesTable(filter);
  const done = (text: string) => {
    setOpen(undefined);
    notify('success', text);
    table.reload();
  };
  const turn = async (type: TypeRow, isOn: boolean) => {
    const { name } = type;
    const result = await saveEventType(type, contentWith(type, isOn));
    if (result.ok) {
      done(isOn ? t('{{name}} turned on.', { name }) : t('{{name}} turned off.', { name }));
    } else {
      notifyFailure(result);
      table.reload();
    }
  };
  const actions = useEntryActions<TypeRow>({
    onEdit: (type) => setOpen({ kind: 'edit', type }),
    onTurn: (type, isOn) => void turn(type, isOn),
    onReset: (type) => setOpen({ kind: 'reset', type }),
    onRemove: (type) => setOpen({ kind: 'remove', type }),
  });
  return (
    <>
      <DataTable
        table={table}
        label={t('Event types')}
        columns={useTypeColumns()}
        rowId={({ code }) => code}
        onOpen={(type) => setOpen({ kind: 'edit', type })}
        actions={actions}
        filters={<TypeFilters filter={filter} onChange={setFilter} />}
        onClearFilters={() => setFilter(NO_FILTER)}
        toolbar={
          <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpen({ kind: 'new' })}>
            {t('Add event type')}
          </Button>
        }
        emptyHint={t('No event types yet. Add one.')}
        searchHint={t('Name')}
      />
      {(open?.kind === 'edit' || open?.kind === 'new') && (
        <TypeDialog
          type={open.kind === 'edit' ? open.type : undefined}
          onSaved={() => done(t('Event type saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'reset' && (
        <ResetDialog
          name={open.type.name}
          onConfirm={() => resetEventType(open.type)}
          onDone={() => done(t('Event type reset.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'remove' && (
        <RemoveDialog
          name={open.type.name}
          text={t("Only a type without events can be deleted. This can't be undone.")}
          onConfirm={() => removeEventType(open.type)}
          onDone={() => done(t('Event type deleted.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
