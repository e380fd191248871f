import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { IGNITION_CONDITIONS } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useIgnitionTexts } from '../words/taskTexts.ts';
import type { TaskDraft } from './taskForm.ts';

/** What each device has to be like when its update begins. */
export function ConditionFields({ form }: { readonly form: Form<TaskDraft> }) {
  const { t } = useTranslation('Firmware');
  const ignition = useIgnitionTexts();
  return (
    <Section title={t('Conditions')}>
      <Box sx={COLUMNS}>
        <NumberInput
          field={form.field('parkedMinutes')}
          label={t('Parked for (min)')}
          hint={t('Leave empty to update moving vehicles too.')}
        />
        <SelectInput
          field={form.field('ignition')}
          label={t('Ignition')}
          options={IGNITION_CONDITIONS.map((value) => ({ value, label: ignition[value] }))}
        />
        <NumberInput
          field={form.field('minimumSignal')}
          label={t('Minimum signal')}
          hint={t('As terminals report it, 0–31. Leave empty for any.')}
        />
      </Box>
      <SwitchInput field={form.field('unwatched')} label={t("Only while its video isn't watched")} />
      <SwitchInput
        field={form.field('needsPlan')}
        label={t("Only while its data plan has the image's size left")}
        hint={t('Devices without a data plan are not affected.')}
      />
    </Section>
  );
}
