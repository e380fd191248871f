import Add from '@mui/icons-material/Add';
import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listTemplates, loadTemplatePresets, removeTemplate } from '../../../shared/api/notify/templates.ts';
import { senderKindText } from '../../../shared/i18n/notifyWordText.ts';
import { TEMPLATES_PATH, type Template } from '../../../shared/protocol/api/notify/templates.ts';
import { SENDER_KINDS, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';
import type { RowAction } from '../../../shared/ui/table/column.ts';
import { DataTable } from '../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../shared/ui/table/useTable.ts';
import { type Opened, TemplateDialog } from './TemplateDialog.tsx';
import { useTemplateColumns } from './useTemplateColumns.ts';

type Open = Opened | { readonly kind: 'remove'; readonly template: Template };

export function Templates() {
  const { t } = useTranslation(['Template', 'NotifyWords']);
  const [kind, setKind] = useState<SenderKind | ''>('');
  const [open, setOpen] = useState<Open>();
  const presets = useRecord({ key: ['template-presets'], load: loadTemplatePresets });
  const table = useTable({
    name: 'templates',
    load: listTemplates,
    sorting: { column: 'name', descending: false },
    filters: useMemo(() => (kind === '' ? {} : { kind }), [kind]),
    changedBy: ['template'],
  });
  const done = (text: string) => {
    setOpen(undefined);
    notify('success', text);
    table.reload();
  };
  return (
    <>
      <DataTable
        table={table}
        label={t('Templates')}
        columns={useTemplateColumns()}
        rowId={({ id }) => id}
        onOpen={(template) => setOpen({ kind: 'edit', template })}
        actions={useTemplateActions(setOpen)}
        filters={
          <FilterSelect
            label={t('Kind')}
            value={kind}
            onChange={setKind}
            options={SENDER_KINDS.map((value) => ({ value, label: senderKindText(value) }))}
          />
        }
        onClearFilters={() => setKind('')}
        toolbar={
          <Button
            variant="contained"
            size="small"
            startIcon={<Add />}
            // A new template begins with a standard text.
            disabled={presets.value === undefined && presets.failure === undefined}
            onClick={() => setOpen({ kind: 'new' })}
          >
            {t('Add template')}
          </Button>
        }
        emptyHint={t('No templates yet. Without one, messages use the standard text of their kind.')}
        searchHint={t('Name')}
        csvPath={TEMPLATES_PATH}
        hasTimes
      />
      {open?.kind === 'remove' && (
        <RemoveDialog
          template={open.template}
          onDone={() => done(t('Template deleted.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open !== undefined && open.kind !== 'remove' && (
        <TemplateDialog
          opened={open}
          presets={presets.value ?? []}
          onSaved={() => done(t('Template saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function useTemplateActions(onOpen: (open: Open) => void): (template: Template) => readonly RowAction[] {
  const { t } = useTranslation('Template');
  return (template) => [
    {
      icon: <Edit />,
      label: t('Edit {{name}}', { name: template.name }),
      onClick: () => onOpen({ kind: 'edit', template }),
    },
    {
      icon: <ContentCopy />,
      label: t('Duplicate {{name}}', { name: template.name }),
      inMenu: true,
      onClick: () => onOpen({ kind: 'copy', template }),
    },
    {
      icon: <Delete />,
      label: t('Delete {{name}}', { name: template.name }),
      inMenu: true,
      onClick: () => onOpen({ kind: 'remove', template }),
    },
  ];
}

interface RemoveDialogProps {
  readonly template: Template;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ template, onDone, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('Template');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: template.name })}
      text={t("Only a template that no notification rule uses can be deleted. This can't be undone.")}
      action={t('Delete')}
      danger
      onConfirm={() => removeTemplate(template)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
