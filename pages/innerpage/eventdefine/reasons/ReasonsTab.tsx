import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeEventReason, resetEventReason, saveEventReason } from '../../../../shared/api/eventTypes.ts';
import { statusText } from '../../../../shared/i18n/eventWordText.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { RemoveDialog, ResetDialog } from '../EntryDialogs.tsx';
import { StateText } from '../StateText.tsx';
import { useEntryActions } from '../useEntryActions.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { draftOfReason, type ReasonRow } from './reasonForm.ts';
import { useReasonsTable } from './useReasonsTable.ts';

type Open = { readonly kind: 'edit' | 'reset' | 'remove'; readonly reason: ReasonRow } | { readonly kind: 'new' };

/** What closing an event asks for. */
export function ReasonsTab() {
  const { t } = useTranslation('EventDefine');
  const [open, setOpen] = useState<Open>();
  const table = useReasonsTable();
  const done = (text: string) => {
    setOpen(undefined);
    notify('success', text);
    table.reload();
  };
  const turn = async (reason: ReasonRow, enabled: boolean) => {
    const { name } = reason;
    const result = await saveEventReason(reason, { ...draftOfReason(reason), enabled });
    if (result.ok) {
      done(enabled ? t('{{name}} turned on.', { name }) : t('{{name}} turned off.', { name }));
    } else {
      notifyFailure(result);
      table.reload();
    }
  };
  const actions = useEntryActions<ReasonRow>({
    onEdit: (reason) => setOpen({ kind: 'edit', reason }),
    onTurn: (reason, isOn) => void turn(reason, isOn),
    onReset: (reason) => setOpen({ kind: 'reset', reason }),
    onRemove: (reason) => setOpen({ kind: 'remove', reason }),
  });
  return (
    <>
      <DataTable
        table={table}
        label={t('Closing reasons')}
        columns={useReasonColumns()}
        rowId={({ id }) => id}
        onOpen={(reason) => setOpen({ kind: 'edit', reason })}
        actions={actions}
        toolbar={
          <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpen({ kind: 'new' })}>
            {t('Add reason')}
          </Button>
        }
        emptyHint={t('No reasons yet. Add one.')}
        searchHint={t('Name')}
      />
      {(open?.kind === 'edit' || open?.kind === 'new') && (
        <ReasonDialog
          reason={open.kind === 'edit' ? open.reason : undefined}
          onSaved={() => done(t('Reason saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'reset' && (
        <ResetDialog
          name={open.reason.name}
          onConfirm={() => resetEventReason(open.reason)}
          onDone={() => done(t('Reason reset.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'remove' && (
        <RemoveDialog
          name={open.reason.name}
          text={t("Only a reason that no event was closed for can be deleted. This can't be undone.")}
          onConfirm={() => removeEventReason(open.reason)}
          onDone={() => done(t('Reason deleted.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function useReasonColumns(): readonly Column<ReasonRow>[] {
  const { t } = useTranslation(['EventDefine', 'EventWords']);
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 180 },
    {
      name: 'isFalseAlarm',
      title: t('Final status'),
      text: ({ isFalseAlarm }) => statusText(isFalseAlarm ? 'false-alarm' : 'closed'),
      sortable: true,
      width: 180,
    },
    {
      name: 'enabled',
      title: t('Status'),
      text: ({ enabled }) => (enabled ? t('On') : t('Off')),
      render: ({ enabled }) => <StateText isOn={enabled} />,
      sortable: true,
      width: 100,
    },
    {
      name: 'isBuiltIn',
      title: t('Kind'),
      text: ({ isBuiltIn }) => (isBuiltIn ? t('Built-in') : t('Custom')),
      sortable: true,
      width: 110,
    },
  ];
}
