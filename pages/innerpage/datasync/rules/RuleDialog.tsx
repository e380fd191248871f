import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addSyncRule, changeSyncRule } from '../../../../shared/api/sync.ts';
import type { SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { RuleConflict } from './RuleConflict.tsx';
import { LimitFields, WhatFields, WhenFields } from './RuleFields.tsx';
import { checkRule, contentOfRule, draftOfRule, newRule, type RuleDraft } from './ruleForm.ts';
import { useRuleFormTexts } from './useRuleTexts.ts';

export interface RuleDialogProps {
  /** Undefined for a new one. */
  readonly rule: SyncRule | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function RuleDialog({ rule: opened, onSaved, onClose }: RuleDialogProps) {
  const { t } = useTranslation('Datasync');
  const texts = useRuleFormTexts();
  const choices = useDeviceChoices();
  const [rule, setRule] = useState(opened);
  const form = useForm<RuleDraft>({
    initial: opened === undefined ? newRule() : draftOfRule(opened),
    check: (draft) => checkRule(draft, texts),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfRule(draft);
      return rule === undefined ? addSyncRule(content) : changeSyncRule(rule.id, { ...content, version: rule.version });
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
          maxLength={100}
        />
        <SwitchInput field={form.field('enabled')} label={t('Enabled')} />
      </Box>
      <WhatFields form={form} choices={choices} />
      <WhenFields form={form} />
      <LimitFields form={form} />
      <RuleConflict form={form} choices={choices} onRule={setRule} />
    </FormDialog>
  );
}
