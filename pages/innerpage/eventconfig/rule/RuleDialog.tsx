import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveEventRule } from '../../../../shared/api/eventConfig.ts';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import type { EventRuleRow, RuleGroup, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { sameValue } from '../../../../shared/ui/form/formState.ts';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { usePlaceName } from '../place/usePlaceName.ts';
import type { RuleRow } from '../rules/ruleRows.ts';
import { DetectionFields } from './DetectionFields.tsx';
import { ActionFields, RepeatFields, SwitchRow } from './ResponseFields.tsx';
import { RuleConflict } from './RuleConflict.tsx';
import { RulePreviewSection } from './RulePreviewSection.tsx';
import type { RuleContent } from './ruleContent.ts';
import { checkRule, draftOfRule, inheritedDraft, type RuleDraft, settingsOfDraft } from './ruleForm.ts';
import { SettingRow } from './SettingRow.tsx';
import { settingField } from './settingField.ts';
import { useRuleTexts } from './useRuleTexts.ts';

export interface RuleDialogProps {
  readonly row: RuleRow;
  readonly place: RuleScopeQuery;
  readonly groups: readonly RuleGroup[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function RuleDialog({ row: opened, place, groups, onSaved, onClose }: RuleDialogProps) {
  const { t } = useTranslation(['EventConfig', 'EventWords']);
  const texts = useRuleTexts();
  const { name, type } = opened;
  const [row, setRow] = useState<EventRuleRow>(opened);
  const form = useForm<RuleDraft>({
    initial: draftOfRule(row),
    check: (draft) => checkRule(type, draft, texts),
  });
  const save = async () => {
    const saved = await form.submit((draft) =>
      saveEventRule({ ...place, type, version: row.version, settings: settingsOfDraft(type, draft) }),
    );
    if (saved !== undefined) onSaved();
  };
  const content: RuleContent = { form, row, inherited: inheritedDraft(row) };
  const inheritsAll = sameValue(form.values, content.inherited);
  return (
    <FormDialog
      title={t('Rule {{name}} ({{place}})', { name, place: usePlaceName(place, groups) })}
      form={form}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
      aside={
        <Button disabled={inheritsAll || form.isSaving} onClick={() => form.change(content.inherited)}>
          {t('Inherit all')}
        </Button>
      }
    >
      <Box sx={COLUMNS}>
        <SwitchRow content={content} name="enabled" hint={t('If off, no new events of this type are raised.')} />
        <SettingRow content={content} name="severity">
          <SelectInput
            field={settingField(form, 'severity')}
            label={t('Severity')}
            options={SEVERITIES.map((value) => ({ value, label: severityText(value) }))}
          />
        </SettingRow>
      </Box>
      <DetectionFields content={content} />
      <RepeatFields content={content} />
      <ActionFields content={content} />
      {row.hasPreview && <RulePreviewSection content={content} place={place} groups={groups} />}
      <RuleConflict form={form} onRow={setRow} type={type} />
    </FormDialog>
  );
}
