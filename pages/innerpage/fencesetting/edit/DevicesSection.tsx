import Box from '@mui/material/Box';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { FenceDraft } from './fenceForm.ts';
import { hasSameFields } from './sameFields.ts';

export interface DevicesSectionProps {
  readonly form: Form<FenceDraft>;
  readonly choices: DeviceChoices;
}

/** Which devices it is for. */
export const DevicesSection = memo(
  DeviceFields,
  (before, after) =>
    before.choices === after.choices && hasSameFields(before.form, after.form, ['deviceGroups', 'devices']),
);

function DeviceFields({ form, choices }: DevicesSectionProps) {
  const { t } = useTranslation('FenceSetting');
  return (
    <Section title={t('Devices')}>
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
    </Section>
  );
}
