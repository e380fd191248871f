import Add from '@mui/icons-material/AddOutlined';
import Button from '@mui/material/Button';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listNotifyRules, removeNotifyRule, saveNotifyRule } from '../../../../shared/api/notify/notifyRules.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import { NOTIFY_RULES_PATH, type NotifyRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { TableFailure } from '../../../../shared/ui/table/TableNotices.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { NoSenderNotice } from '../NoSenderNotice.tsx';
import {
  contentOfDraft,
  copyOfRule,
  draftOfRule,
  newRule,
  type RuleDraft,
  serverProblemsRule,
} from '../rule/ruleForm.ts';
import { useNotifyChoices } from '../useNotifyChoices.ts';
import { useRuleColumns } from './ruleColumns.tsx';
import { useRuleActions } from './useRuleActions.tsx';
import { useRuleSummary } from './useRuleSummary.ts';

const RuleDialog = lazyPart('RuleDialog', async () => (await import('../rule/RuleDialog.tsx')).RuleDialog);

type Open = { readonly rule: NotifyRule } | { readonly draft: RuleDraft };

/** The rules of the member group. */
export function RulesTab() {
  const { t } = useTranslation('NotifyConfig');
  const loaded = useNotifyChoices();
  const { choices } = loaded;
  const names = useEventNames();
  const [open, setOpen] = useState<Open>();
  const [deleting, setDeleting] = useState<NotifyRule>();
  const table = useTable({
    name: 'notify-rules',
    load: listNotifyRules,
    sorting: { column: 'name', descending: false },
    changedBy: ['notifyrule'],
  });
  const done = (text: string) => {
    setOpen(undefined);
    setDeleting(undefined);
    notify('success', text);
    table.reload();
  };
  const turn = async (rule: NotifyRule, enabled: boolean) => {
    const { name } = rule;
    const result = await saveNotifyRule(rule, { ...contentOfDraft(draftOfRule(rule)), enabled });
    if (result.ok) return done(enabled ? t('{{name}} turned on.', { name }) : t('{{name}} turned off.', { name }));
    notifyFailure(result);
    table.reload();
  };
  const actions = useRuleActions({
    onEdit: (rule) => setOpen({ rule }),
    onTurn: (rule, isOn) => void turn(rule, isOn),
    onDuplicate: (rule) => setOpen({ draft: copyOfRule(rule, t('{{name}} (copy)', { name: rule.name })) }),
    onDelete: setDeleting,
  });
  const add = () => setOpen({ draft: newRule(currentLocale()) });
  const addReadyMade = () => setOpen({ draft: serverProblemsRule(currentLocale(), t('Server problems')) });
  return (
    <>
      {loaded.failure !== undefined && (
        <TableFailure failure={loaded.failure} hasRows={loaded.isKnown} onRetry={loaded.reload} />
      )}
      {loaded.isKnown && choices.senders.length === 0 && <NoSenderNotice />}
      <DataTable
        table={table}
        label={t('Rules')}
        columns={useRuleColumns(useRuleSummary(choices, names))}
        rowId={({ id }) => id}
        onOpen={(rule) => setOpen({ rule })}
        actions={actions}
        toolbar={
          <>
            <Button size="small" disabled={!loaded.isKnown} onClick={addReadyMade}>
              {t('Notify about server problems')}
            </Button>
            <Button variant="contained" size="small" startIcon={<Add />} disabled={!loaded.isKnown} onClick={add}>
              {t('Add rule')}
            </Button>
          </>
        }
        emptyHint={t('No rules yet. Add one, and members are told of events.')}
        csvPath={NOTIFY_RULES_PATH}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {open !== undefined && loaded.isKnown && (
            <RuleDialog
              opened={open}
              choices={choices}
              names={names}
              onSaved={() => done(t('Rule saved.'))}
              onClose={() => setOpen(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {deleting !== undefined && (
        <DeleteDialog rule={deleting} onDone={() => done(t('Rule deleted.'))} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly rule: NotifyRule;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ rule, onDone, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('NotifyConfig');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: rule.name })}
      text={t("Members aren't told of new events by this rule anymore. The delivery log stays. This can't be undone.")}
      action={t('Delete')}
      danger
      onConfirm={() => removeNotifyRule(rule)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
