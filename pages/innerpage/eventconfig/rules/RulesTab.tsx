import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveEventRule } from '../../../../shared/api/eventConfig.ts';
import type { RuleGroup, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { RuleFilters } from './RuleFilters.tsx';
import { useRuleColumns } from './ruleColumns.tsx';
import { NO_FILTER, type RuleRow, type RulesFilter } from './ruleRows.ts';
import { useRuleActions } from './useRuleActions.tsx';
import { useRulesTable } from './useRulesTable.ts';

const RuleDialog = lazyPart('RuleDialog', async () => (await import('../rule/RuleDialog.tsx')).RuleDialog);

export interface RulesTabProps {
  readonly place: RuleScopeQuery;
  readonly groups: readonly RuleGroup[];
}

interface Open {
  readonly kind: 'edit' | 'inherit';
  readonly row: RuleRow;
}

/** What is configured of each event type in a place. */
export function RulesTab({ place, groups }: RulesTabProps) {
  const { t } = useTranslation('EventConfig');
  const [filter, setFilter] = useState<RulesFilter>(NO_FILTER);
  const [open, setOpen] = useState<Open>();
  const table = useRulesTable(place, filter);
  const done = (text: string) => {
    setOpen(undefined);
    notify('success', text);
    table.reload();
  };
  const turn = async ({ type, version, own, name }: RuleRow, enabled: boolean) => {
    const result = await saveEventRule({ ...place, type, version, settings: { ...own, enabled } });
    if (result.ok) {
      done(enabled ? t('{{name}} turned on.', { name }) : t('{{name}} turned off.', { name }));
    } else {
      notifyFailure(result);
      table.reload();
    }
  };
  const actions = useRuleActions({
    onEdit: (row) => setOpen({ kind: 'edit', row }),
    onTurn: (row, isOn) => void turn(row, isOn),
    onInheritAll: (row) => setOpen({ kind: 'inherit', row }),
  });
  return (
    <>
      <DataTable
        table={table}
        label={t('Rules')}
        columns={useRuleColumns()}
        rowId={({ type }) => type}
        onOpen={(row) => setOpen({ kind: 'edit', row })}
        actions={actions}
        filters={<RuleFilters filter={filter} onChange={setFilter} />}
        onClearFilters={() => setFilter(NO_FILTER)}
        emptyHint={t('No event types yet. Add one under Event Define.')}
        searchHint={t('Event type')}
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {open?.kind === 'edit' && (
            <RuleDialog
              row={open.row}
              place={place}
              groups={groups}
              onSaved={() => done(t('Rule saved.'))}
              onClose={() => setOpen(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {open?.kind === 'inherit' && (
        <InheritDialog
          row={open.row}
          place={place}
          onDone={() => done(t('Rule saved.'))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface InheritDialogProps {
  readonly row: RuleRow;
  readonly place: RuleScopeQuery;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function InheritDialog({ row: { type, version, name }, place, onDone, onClose }: InheritDialogProps) {
  const { t } = useTranslation('EventConfig');
  return (
    <ConfirmDialog
      title={t('Inherit all settings of {{name}}?', { name })}
      text={t("What is set here is removed, and the inherited settings are used. This can't be undone.")}
      action={t('Inherit all')}
      danger
      onConfirm={() => saveEventRule({ ...place, type, version, settings: {} })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
