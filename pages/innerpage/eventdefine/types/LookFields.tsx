import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { EVENT_CATEGORIES, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { ColorInput } from '../look/ColorInput.tsx';
import { IconInput } from '../look/IconInput.tsx';
import { SoundInput } from '../look/SoundInput.tsx';
import type { TypeDraft } from './typeForm.ts';

export interface LookFieldsProps {
  readonly form: Form<TypeDraft>;
  readonly isBuiltIn: boolean;
}

/** Where events of the type are listed, how they look and sound. */
export function LookFields({ form, isBuiltIn }: LookFieldsProps) {
  const { t } = useTranslation(['EventDefine', 'EventWords']);
  const { color, severity } = form.values;
  return (
    <Section title={t('Display')}>
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('category')}
          label={t('Category')}
          disabled={isBuiltIn}
          options={EVENT_CATEGORIES.map((value) => ({ value, label: categoryText(value) }))}
        />
        <SelectInput
          field={form.field('severity')}
          label={t('Severity')}
          options={SEVERITIES.map((value) => ({ value, label: severityText(value) }))}
        />
        <SoundInput field={form.field('sound')} />
      </Box>
      <ColorInput field={form.field('color')} severity={severity} />
      <IconInput field={form.field('icon')} color={color} severity={severity} />
    </Section>
  );
}
