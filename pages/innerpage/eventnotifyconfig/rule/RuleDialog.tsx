import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addNotifyRule, saveNotifyRule } from '../../../../shared/api/notify/notifyRules.ts';
import {
  MAX_RULE_NAME,
  type NotifyChoices,
  type NotifyRule,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { DryRunSection } from './DryRunSection.tsx';
import { EventsSection } from './EventsSection.tsx';
import { MessageSection } from './MessageSection.tsx';
import { RuleConflict } from './RuleConflict.tsx';
import { checkRule } from './ruleChecks.ts';
import type { RuleContext } from './ruleContext.ts';
import { contentOfDraft, draftOfRule, type RuleDraft } from './ruleForm.ts';
import { StepsSection } from './StepsSection.tsx';
import { TimeSection } from './TimeSection.tsx';
import { useRuleTexts } from './useRuleTexts.ts';

export interface RuleDialogProps {
  /** One that is stored, or what a new one begins with. */
  readonly opened: { readonly rule: NotifyRule } | { readonly draft: RuleDraft };
  readonly choices: NotifyChoices;
  readonly names: EventNames;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function RuleDialog({ opened, choices, names, onSaved, onClose }: RuleDialogProps) {
  const { t } = useTranslation('NotifyConfig');
  const texts = useRuleTexts();
  const [rule, setRule] = useState('rule' in opened ? opened.rule : undefined);
  const kindOf = (sender: string) => choices.senders.find(({ id }) => String(id) === sender)?.kind;
  const check = (draft: RuleDraft) => checkRule(draft, { texts, kindOf });
  const form = useForm<RuleDraft>({
    initial: 'rule' in opened ? draftOfRule(opened.rule) : opened.draft,
    check,
  });
  const context: RuleContext = { form, choices, names };
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfDraft(draft);
      return rule === undefined ? addNotifyRule(content) : saveNotifyRule(rule, content);
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={rule === undefined ? t('Add rule') : t('Rule {{name}}', { name: rule.name })}
      form={form}
      always={rule === undefined}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
        <TextInput
          field={form.field('name')}
          label={t('Name')}
          required
          autoFocus={rule === undefined}
          maxLength={MAX_RULE_NAME}
        />
        <SwitchInput field={form.field('enabled')} label={t('Enabled')} />
      </Box>
      <EventsSection context={context} />
      <StepsSection context={context} />
      <TimeSection context={context} />
      <MessageSection context={context} />
      <DryRunSection form={form} problems={check(form.values)} />
      <RuleConflict context={context} onRule={setRule} />
    </FormDialog>
  );
}
