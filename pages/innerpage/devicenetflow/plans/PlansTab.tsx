import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listSimPlans, removeSimPlan } from '../../../../shared/api/netflow.ts';
import { SIM_PLANS_PATH, type SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { usePlanColumns } from './planColumns.tsx';

const PlanDialog = lazyPart('PlanDialog', async () => (await import('./PlanDialog.tsx')).PlanDialog);

type Opened = { readonly kind: 'edit' | 'remove'; readonly plan: SimPlan } | { readonly kind: 'new' };

/** What SIMs may use, and what happens once they have. */
export function PlansTab() {
  const { t } = useTranslation('Netflow');
  const [opened, setOpened] = useState<Opened>();
  const table = useTable({
    name: 'netflow-plans',
    load: listSimPlans,
    sorting: { column: 'name', descending: false },
    changedBy: ['simplan'],
  });
  const done = (text: string) => {
    setOpened(undefined);
    notify('success', text);
    table.reload();
  };
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpened({ kind: 'new' })}>
      {t('Add data plan')}
    </Button>
  );
  return (
    <>
      <DataTable
        table={table}
        label={t('Data plans')}
        columns={usePlanColumns()}
        rowId={({ id }) => id}
        onOpen={(plan) => setOpened({ kind: 'edit', plan })}
        actions={(plan) => [
          {
            icon: <Edit />,
            label: t('Edit {{name}}', { name: plan.name }),
            onClick: () => setOpened({ kind: 'edit', plan }),
          },
          {
            icon: <Delete />,
            label: t('Delete {{name}}', { name: plan.name }),
            onClick: () => setOpened({ kind: 'remove', plan }),
          },
        ]}
        toolbar={add}
        emptyHint={t('No data plans yet. Add one, then assign it to devices on the tab Usage.')}
        emptyAction={add}
        searchHint={t('Name')}
        csvPath={SIM_PLANS_PATH}
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && opened.kind !== 'remove' && (
            <PlanDialog
              plan={opened.kind === 'edit' ? opened.plan : undefined}
              onSaved={() => done(t('Data plan saved.'))}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {opened?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: opened.plan.name })}
          text={t("Its devices stay without a plan, and nothing limits them anymore. This can't be undone.")}
          action={t('Delete')}
          danger
          onConfirm={() => removeSimPlan(opened.plan)}
          onDone={() => done(t('Data plan deleted.'))}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}
