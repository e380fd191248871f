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
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import { PRIORITIES, type RuleDraft } from './ruleForm.ts';
import { useChoiceHints, useNetworkNames } from './useRuleTexts.ts';

export interface RuleFieldsProps {
  readonly form: Form<RuleDraft>;
}

const CHANNELS = Array.from({ length: MAX_DEVICE_CHANNELS }, (_, at) => {
  return { value: String(at + 1), label: String(at + 1) };
});

/** The fields for the devices and for which of their recordings are fetched. */
export function WhatFields({ form, choices }: RuleFieldsProps & { readonly choices: DeviceChoices }) {
  const { t } = useTranslation('Datasync');
  const hints = useChoiceHints();
  return (
    <Section title={t('What is fetched')}>
      <Box sx={COLUMNS}>
        <ManyInput
          field={form.field('deviceGroups')}
          label={t('Device groups')}
          hint={t('Subgroups are included.')}
          options={choices.groups}
        />
        <ManyInput
          field={form.field('devices')}
          label={t('Devices')}
          hint={t('Leave both empty for all devices.')}
          options={choices.devices}
        />
      </Box>
      <SelectInput
        field={form.field('choice')}
        label={t('What')}
        options={SYNC_CHOICES.map((value) => ({ value, label: syncChoiceText(value) }))}
        hint={hints[form.values.choice]}
      />
      {form.values.choice === 'events' && <TypesField form={form} />}
      <Box sx={COLUMNS}>
        <ManyInput
          field={form.field('channels')}
          label={t('Channels')}
          hint={t('Leave empty for all channels.')}
          options={CHANNELS}
        />
        <SelectInput
          field={form.field('stream')}
          label={t('Stream')}
          options={SYNC_STREAMS.map((value) => ({ value, label: syncStreamText(value) }))}
        />
        <NumberInput
          field={form.field('daysBack')}
          label={t('Days back')}
          required
          hint={t('Older recordings are not fetched.')}
        />
      </Box>
    </Section>
  );
}

function TypesField({ form }: RuleFieldsProps) {
  const { t } = useTranslation('Datasync');
  const { types, nameOf } = useEventNames();
  const options = useMemo(
    () =>
      types
        .map(({ code }) => ({ value: code, label: nameOf(code) }))
        .sort((left, right) => left.label.localeCompare(right.label)),
    [types, nameOf],
  );
  return (
    <ManyInput
      field={form.field('eventTypes')}
      label={t('Event types')}
      hint={t('Leave empty for all types.')}
      options={options}
    />
  );
}

/** The fields for the hours and the networks of fetching. */
export function WhenFields({ form }: RuleFieldsProps) {
  const { t } = useTranslation('Datasync');
  const networks = useNetworkNames();
  const hours = form.field('hours');
  return (
    <Section title={t('When it is fetched')}>
      <WeekScheduleInput schedule={hours.value} onChange={hours.onChange} disabled={hours.disabled} />
      <Box role="group" aria-label={t('Networks')} sx={{ display: 'grid' }}>
        <SwitchInput field={form.field('wifi')} label={networks.wifi} />
        <SwitchInput field={form.field('lan')} label={networks.lan} />
        <SwitchInput field={form.field('mobile')} label={networks.mobile} />
        <FormHelperText sx={{ mx: 0 }}>
          {t('The device checks which network it has. Hours are in its time zone.')}
        </FormHelperText>
      </Box>
    </Section>
  );
}

/** The fields for how much is fetched at a time, and how long it is kept. */
export function LimitFields({ form }: RuleFieldsProps) {
  const { t } = useTranslation('Datasync');
  return (
    <Section title={t('Limits')}>
      <Box sx={COLUMNS}>
        <NumberInput field={form.field('concurrency')} label={t('Devices at a time')} required />
        <NumberInput
          field={form.field('kilobitsPerSecond')}
          label={t('Bandwidth (kbit/s)')}
          hint={t('Of all devices of the rule together. Leave empty for no limit.')}
        />
        <NumberInput
          field={form.field('megabytesADay')}
          label={t('Data a day (MB)')}
          hint={t('Of each device. Leave empty for no limit.')}
        />
        <NumberInput
          field={form.field('keptDays')}
          label={t('Retention (days)')}
          hint={t("Leave empty to keep it as long as the device's other recordings.")}
        />
        <SelectInput
          field={form.field('priority')}
          label={t('Priority')}
          options={PRIORITIES.map((value) => ({ value, label: value }))}
          hint={t('1 is fetched first.')}
        />
      </Box>
    </Section>
  );
}
