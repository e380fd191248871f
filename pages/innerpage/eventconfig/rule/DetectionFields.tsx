import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import { useTranslation } from 'react-i18next';
import { hasRule, RULE_FIELDS, type RuleNumberName } from '../../../../shared/protocol/events/ruleSettings.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import type { RuleContent } from './ruleContent.ts';
import { RULE_NUMBERS, type ShownNumber, shownNumber } from './ruleNumbers.ts';
import { SettingRow } from './SettingRow.tsx';
import { settingField } from './settingField.ts';
import { numberText } from './unitText.ts';
import { useFieldNames } from './valueText.ts';

/** What the gateway's own rule goes by; nothing for types that only terminals report. */
export function DetectionFields({ content }: { readonly content: RuleContent }) {
  const { t } = useTranslation('EventConfig');
  const { type } = content.row;
  if (!hasRule(type)) return null;
  const numbers = RULE_NUMBERS.flatMap((name) => {
    const number = shownNumber(type, name);
    return number === undefined ? [] : [{ name, number }];
  });
  return (
    <Section title={t('Rule')}>
      {numbers.length > 0 && (
        <Box sx={COLUMNS}>
          {numbers.map(({ name, number }) => (
            <RuleNumberRow key={name} content={content} name={name} number={number} />
          ))}
        </Box>
      )}
      <ScheduleRow content={content} isRequired={RULE_FIELDS[type].schedule === 'required'} />
    </Section>
  );
}

interface RuleNumberRowProps {
  readonly content: RuleContent;
  readonly name: RuleNumberName;
  readonly number: ShownNumber;
}

function RuleNumberRow({ content, name, number }: RuleNumberRowProps) {
  const { t } = useTranslation('EventConfig');
  const fieldNames = useFieldNames(content.row.type);
  const range = { min: numberText(number.minimum), max: numberText(number.maximum) };
  return (
    <SettingRow content={content} name={name}>
      <NumberInput
        field={settingField(content.form, name)}
        label={fieldNames[name]}
        required={!number.isOptional}
        hint={
          number.isOptional
            ? t('Enter {{min}}–{{max}}, or leave empty for none.', range)
            : t('Range: {{min}}–{{max}}', range)
        }
      />
    </SettingRow>
  );
}

interface ScheduleRowProps {
  readonly content: RuleContent;
  readonly isRequired: boolean;
}

function ScheduleRow({ content, isRequired }: ScheduleRowProps) {
  const { t } = useTranslation('EventConfig');
  const { problem, ...field } = settingField(content.form, 'schedule');
  const hint = isRequired ? t('Events are raised in these hours.') : t('Without hours, the rule applies at any time.');
  return (
    <SettingRow content={content} name="schedule">
      <Box role="group" aria-label={t('Schedule')} sx={{ display: 'grid', gap: 1.5 }}>
        <Box sx={{ fontSize: 14, color: 'text.secondary' }}>{t('Schedule')}</Box>
        <WeekScheduleInput schedule={field.value} onChange={field.onChange} disabled={field.disabled} />
      </Box>
      <FormHelperText error={problem !== undefined} sx={{ mx: 0 }}>
        {problem ?? hint}
      </FormHelperText>
    </SettingRow>
  );
}
