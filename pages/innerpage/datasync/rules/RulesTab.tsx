import { useTranslation } from 'react-i18next';
import { syncRules } from '../../../../shared/api/sync.ts';
import { SYNC_RULES_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import { lazyPart } from '../../../../shared/ui/chunks.tsx';
import { RecordsTab } from '../../../../shared/ui/table/RecordsTab.tsx';
import { useRuleColumns } from './ruleColumns.tsx';

const RuleDialog = lazyPart('RuleDialog', async () => (await import('./RuleDialog.tsx')).RuleDialog);

/** What is fetched by itself. */
export function RulesTab() {
  const { t } = useTranslation('Datasync');
  return (
    <RecordsTab
      list={{
        name: 'sync-rules',
        load: syncRules.list,
        sorting: { column: 'priority', descending: false },
        changedBy: ['syncrule'],
      }}
      columns={useRuleColumns()}
      searchHint={t('Name')}
      csvPath={SYNC_RULES_PATH}
      hasTimes
      texts={{
        label: t('Rules'),
        add: t('Add rule'),
        saved: t('Rule saved.'),
        removing: t("What it planned is not fetched anymore. Recordings that were fetched stay. This can't be undone."),
        removed: t('Rule deleted.'),
        emptyHint: t("No rules yet. Add one, and what it says is fetched from the devices' own storage."),
      }}
      remove={syncRules.remove}
      Dialog={RuleDialog}
    />
  );
}
