import { useTranslation } from 'react-i18next';
import { simPlans } from '../../../../shared/api/netflow/netflow.ts';
import { SIM_PLANS_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { lazyPart } from '../../../../shared/ui/chunks.tsx';
import { recordColumns } from '../../../../shared/ui/form/recordFields.ts';
import { RecordsTab } from '../../../../shared/ui/table/RecordsTab.tsx';
import { NUMBER, usePlanFields } from './planFields.ts';
import { draftOfPlan } from './planForm.ts';

const PlanDialog = lazyPart('PlanDialog', async () => (await import('./PlanDialog.tsx')).PlanDialog);

/** What SIMs may use, and what happens once they have. */
export function PlansTab() {
  const { t } = useTranslation('Netflow');
  return (
    <RecordsTab
      list={{
        name: 'netflow-plans',
        load: simPlans.list,
        sorting: { column: 'name', descending: false },
        changedBy: ['simplan'],
      }}
      columns={[
        ...recordColumns(usePlanFields(), draftOfPlan),
        {
          name: 'devices',
          title: t('Devices'),
          text: ({ devices }) => NUMBER.format(devices),
          width: 100,
          align: 'right',
        },
      ]}
      searchHint={t('Name')}
      csvPath={SIM_PLANS_PATH}
      texts={{
        label: t('Data plans'),
        add: t('Add data plan'),
        saved: t('Data plan saved.'),
        removing: t("Its devices stay without a plan, and nothing limits them anymore. This can't be undone."),
        removed: t('Data plan deleted.'),
        emptyHint: t('No data plans yet. Add one, then assign it to devices on the tab Usage.'),
      }}
      remove={simPlans.remove}
      Dialog={PlanDialog}
    />
  );
}
