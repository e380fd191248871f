import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listSyncRules, removeSyncRule } from '../../../../shared/api/sync.ts';
import { SYNC_RULES_PATH, type SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useRuleColumns } from './ruleColumns.tsx';

const RuleDialog = lazyPart('RuleDialog', async () => (await import('./RuleDialog.tsx')).RuleDialog);

type Opened = { readonly kind: 'edit' | 'remove'; readonly rule: SyncRule } | { readonly kind: 'new' };

/** What is fetched by itself. */
export function RulesTab() {
  const { t } = useTranslation('Datasync');
  const [opened, setOpened] = useState<Opened>();
  const table = useTable({
    name: 'sync-rules',
    load: listSyncRules,
    sorting: { column: 'priority', descending: false },
    changedBy: ['syncrule'],
  });
  const done = (text: string) => {
    setOpened(undefined);
    notify('success', text);
    table.reload();
  };
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpened({ kind: 'new' })}>
      {t('Add rule')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Rules')}
        columns={useRuleColumns()}
        rowId={({ id }) => id}
        onOpen={(rule) => setOpened({ kind: 'edit', rule })}
        actions={(rule) => [
          {
            icon: <Edit />,
            label: t('Edit {{name}}', { name: rule.name }),
            onClick: () => setOpened({ kind: 'edit', rule }),
          },
          {
            icon: <Delete />,
            label: t('Delete {{name}}', { name: rule.name }),
            onClick: () => setOpened({ kind: 'remove', rule }),
          },
        ]}
        toolbar={add}
        emptyHint={t("No rules yet. Add one, and what it says is fetched from the devices' own storage.")}
        emptyAction={add}
        searchHint={t('Name')}
        csvPath={SYNC_RULES_PATH}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && opened.kind !== 'remove' && (
            <RuleDialog
              rule={opened.kind === 'edit' ? opened.rule : undefined}
              onSaved={() => done(t('Rule saved.'))}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {opened?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: opened.rule.name })}
          text={t("What it planned is not fetched anymore. Recordings that were fetched stay. This can't be undone.")}
          action={t('Delete')}
          danger
          onConfirm={() => removeSyncRule(opened.rule)}
          onDone={() => done(t('Rule deleted.'))}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}
