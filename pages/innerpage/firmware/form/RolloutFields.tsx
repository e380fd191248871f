import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { TaskDraft } from './taskForm.ts';

export interface RolloutFieldsProps {
  readonly form: Form<TaskDraft>;
  readonly choices: DeviceChoices;
}

/** The stages in which the devices are reached, and what stops the task. */
export function RolloutFields({ form, choices }: RolloutFieldsProps) {
  const { t } = useTranslation('Firmware');
  return (
    <Section title={t('Rollout')}>
      <ManyInput
        field={form.field('canaries')}
        label={t('Canary devices')}
        hint={t('They are updated first, as a stage of their own.')}
        options={choices.devices}
        placeholder={t('None')}
      />
      <Box sx={COLUMNS}>
        <TextInput
          field={form.field('stages')}
          label={t('Stages (%)')}
          hint={t('Share of the devices that each stage reaches.')}
          required
          verbatim
        />
        <NumberInput field={form.field('pauseMinutes')} label={t('Pause between stages (min)')} required />
        <NumberInput field={form.field('concurrency')} label={t('Devices at a time')} required />
      </Box>
      <Box sx={COLUMNS}>
        <NumberInput
          field={form.field('requiredPercent')}
          label={t('Required success (%)')}
          hint={t('With less, the task pauses before the next stage.')}
          required
        />
        <NumberInput
          field={form.field('abortDevices')}
          label={t('Stop at failures')}
          hint={t('The task stops at this number or share, whichever is more devices.')}
          required
        />
        <NumberInput field={form.field('abortPercent')} label={t('Stop at failures (%)')} required />
      </Box>
    </Section>
  );
}
