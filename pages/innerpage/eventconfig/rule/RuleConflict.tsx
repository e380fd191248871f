import { useTranslation } from 'react-i18next';
import { readEventRule } from '../../../../shared/api/eventConfig.ts';
import type { EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';
import { EVENT_RULE_FIELDS } from '../../../../shared/protocol/events/eventRules.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { draftOfRule, type RuleDraft } from './ruleForm.ts';
import type { RuleForm } from './settingField.ts';
import { useFieldNames, useValueText } from './valueText.ts';

export interface RuleConflictProps {
  readonly form: RuleForm;
  readonly type: string;
  /** The row as it is by now. */
  readonly onRow: (row: EventRuleRow) => void;
}

/** Another administrator has saved the rule first. */
export function RuleConflict({ form, type, onRow }: RuleConflictProps) {
  const { t } = useTranslation('EventConfig');
  const [fieldNames, valueText] = [useFieldNames(type), useValueText(type)];
  if (form.conflict === undefined) return null;
  const row = readEventRule(form.conflict);
  const theirs = draftOfRule(row);
  return (
    <ConflictDialog<RuleDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={EVENT_RULE_FIELDS.map((name) => ({
        name,
        label: fieldNames[name],
        show: (draft) => {
          const value = valueText(name, draft);
          return draft[name].isOwn ? value : t('{{value}} (inherited)', { value });
        },
      }))}
      onChoose={(values) => {
        onRow(row);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}
