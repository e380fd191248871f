import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { syncRules } from '../../../../shared/api/sync.ts';
import type { SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { type OpenedRecord, RecordDialog } from '../../../../shared/ui/form/RecordDialog.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { LimitFields, WhatFields, WhenFields } from './RuleFields.tsx';
import { checkRule, contentOfRule, draftOfRule, newRule, type RuleDraft } from './ruleForm.ts';
import { useRuleFields } from './useRuleFields.ts';
import { useRuleFormTexts } from './useRuleTexts.ts';

export function RuleDialog(opened: OpenedRecord<SyncRule>) {
  const { t } = useTranslation('Datasync');
  const texts = useRuleFormTexts();
  const choices = useDeviceChoices();
  const kind = {
    client: syncRules,
    fields: useRuleFields(choices),
    draftOf: draftOfRule,
    contentOf: contentOfRule,
    check: (draft: RuleDraft) => checkRule(draft, texts),
  };
  return (
    <RecordDialog
      {...opened}
      kind={kind}
      blank={newRule()}
      titleOf={(rule) => (rule === undefined ? t('Add rule') : t('Rule {{name}}', { name: rule.name }))}
      maxWidth="md"
    >
      {(inputs) => (
        <>
          <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
            <TextInput {...inputs.input('name')} required autoFocus={inputs.isNew} maxLength={100} />
            <SwitchInput {...inputs.input('enabled')} />
          </Box>
          <WhatFields inputs={inputs} choices={choices} />
          <WhenFields inputs={inputs} />
          <LimitFields inputs={inputs} />
        </>
      )}
    </RecordDialog>
  );
}
