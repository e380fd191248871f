import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { ReachNotice } from './ReachNotice.tsx';
import { type TaskDraft, targetsOfDraft } from './taskForm.ts';

export interface TargetFieldsProps {
  readonly form: Form<TaskDraft>;
  readonly choices: DeviceChoices;
}

/** Which devices it is for, and how many that are now. */
export function TargetFields({ form, choices }: TargetFieldsProps) {
  const { t } = useTranslation('Firmware');
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
      <Box sx={COLUMNS}>
        <TextInput
          field={form.field('model')}
          label={t('Model')}
          hint={t('* stands for any characters. Leave empty for any.')}
          verbatim
          maxLength={60}
        />
        <TextInput
          field={form.field('installedVersion')}
          label={t('Installed version')}
          hint={t('* stands for any characters. Leave empty for any.')}
          verbatim
          maxLength={60}
        />
      </Box>
      <ReachNotice targets={targetsOfDraft(form.values)} />
    </Section>
  );
}
