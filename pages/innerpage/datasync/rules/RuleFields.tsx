import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { syncChoiceText, syncStreamText } from '../../../../shared/i18n/syncText.ts';
import { MAX_DEVICE_CHANNELS } from '../../../../shared/protocol/api/devices.ts';
import { SYNC_CHOICES, SYNC_STREAMS } from '../../../../shared/protocol/sync/syncWords.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import type { RecordInputs } from '../../../../shared/ui/form/RecordDialog.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import { PRIORITIES, type RuleDraft } from './ruleForm.ts';
import { useChoiceHints } from './useRuleTexts.ts';

export interface RuleFieldsProps {
  readonly inputs: RecordInputs<RuleDraft>;
}

const CHANNELS = Array.from({ length: MAX_DEVICE_CHANNELS }, (_, at) => {
  return { value: String(at + 1), label: String(at + 1) };
});

/** The fields for the devices and for which of their recordings are fetched. */
export function WhatFields({ inputs, choices }: RuleFieldsProps & { readonly choices: DeviceChoices }) {
  const { t } = useTranslation('Datasync');
  const hints = useChoiceHints();
  return (
    <Section title={t('What is fetched')}>
      <Box sx={COLUMNS}>
        <ManyInput {...inputs.input('deviceGroups')} hint={t('Subgroups are included.')} options={choices.groups} />
        <ManyInput
          {...inputs.input('devices')}
          hint={t('Leave both empty for all devices.')}
          options={choices.devices}
        />
      </Box>
      <SelectInput
        {...inputs.input('choice')}
        options={SYNC_CHOICES.map((value) => ({ value, label: syncChoiceText(value) }))}
        hint={hints[inputs.form.values.choice]}
      />
      {inputs.form.values.choice === 'events' && <TypesField inputs={inputs} />}
      <Box sx={COLUMNS}>
        <ManyInput {...inputs.input('channels')} hint={t('Leave empty for all channels.')} options={CHANNELS} />
        <SelectInput
          {...inputs.input('stream')}
          options={SYNC_STREAMS.map((value) => ({ value, label: syncStreamText(value) }))}
        />
        <NumberInput {...inputs.input('daysBack')} required hint={t('Older recordings are not fetched.')} />
      </Box>
    </Section>
  );
}

function TypesField({ inputs }: RuleFieldsProps) {
  const { t } = useTranslation('Datasync');
  const { types, nameOf } = useEventNames();
  const options = useMemo(
    () =>
      types
        .map(({ code }) => ({ value: code, label: nameOf(code) }))
        .sort((left, right) => left.label.localeCompare(right.label)),
    [types, nameOf],
  );
  return <ManyInput {...inputs.input('eventTypes')} hint={t('Leave empty for all types.')} options={options} />;
}

/** The fields for the hours and the networks of fetching. */
export function WhenFields({ inputs }: RuleFieldsProps) {
  const { t } = useTranslation('Datasync');
  const hours = inputs.form.field('hours');
  return (
    <Section title={t('When it is fetched')}>
      <WeekScheduleInput schedule={hours.value} onChange={hours.onChange} disabled={hours.disabled} />
      <Box role="group" aria-label={t('Networks')} sx={{ display: 'grid' }}>
        <SwitchInput {...inputs.input('wifi')} />
        <SwitchInput {...inputs.input('lan')} />
        <SwitchInput {...inputs.input('mobile')} />
        <FormHelperText sx={{ mx: 0 }}>
          {t('The device checks which network it has. Hours are in its time zone.')}
        </FormHelperText>
      </Box>
    </Section>
  );
}

/** The fields for how much is fetched at a time, and how long it is kept. */
export function LimitFields({ inputs }: RuleFieldsProps) {
  const { t } = useTranslation('Datasync');
  return (
    <Section title={t('Limits')}>
      <Box sx={COLUMNS}>
        <NumberInput {...inputs.input('concurrency')} required />
        <NumberInput
          {...inputs.input('kilobitsPerSecond')}
          hint={t('Of all devices of the rule together. Leave empty for no limit.')}
        />
        <NumberInput {...inputs.input('megabytesADay')} hint={t('Of each device. Leave empty for no limit.')} />
        <NumberInput
          {...inputs.input('keptDays')}
          hint={t("Leave empty to keep it as long as the device's other recordings.")}
        />
        <SelectInput
          {...inputs.input('priority')}
          options={PRIORITIES.map((value) => ({ value, label: value }))}
          hint={t('1 is fetched first.')}
        />
      </Box>
    </Section>
  );
}
