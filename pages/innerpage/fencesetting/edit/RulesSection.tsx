import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { FenceDraft, RuleFlag, RuleNumber } from './fenceForm.ts';

/** The rules by which the geofence raises events. */
export function RulesSection({ form }: { readonly form: Form<FenceDraft> }) {
  const { t } = useTranslation('FenceSetting');
  const { rules, geometry } = form.values;
  const flag = (name: RuleFlag) =>
    form.part<boolean>(`rules.${name}`, {
      value: rules[name],
      onChange: (value) => form.change({ rules: { ...rules, [name]: value } }),
    });
  const number = (name: RuleNumber) =>
    form.part<number | null>(`rules.${name}`, {
      value: rules[name],
      onChange: (value) => form.change({ rules: { ...rules, [name]: value } }),
    });
  const none = t('Leave empty for none.');
  return (
    <Section title={t('Events')}>
      <Box sx={{ display: 'grid', gap: 0.5 }}>
        <SwitchInput field={flag('enter')} label={t('A device enters')} />
        <SwitchInput field={flag('leave')} label={t('A device exits')} />
        {geometry.kind === 'corridor' && (
          <SwitchInput
            field={flag('wrongDirection')}
            label={t('A device drives in the wrong direction')}
            hint={t('From the end of the route to its start.')}
          />
        )}
      </Box>
      <Box sx={COLUMNS}>
        <NumberInput field={number('insideMinutes')} label={t('Inside longer than (min)')} hint={none} />
        <NumberInput field={number('outsideMinutes')} label={t('Outside longer than (min)')} hint={none} />
        <NumberInput field={number('speedKmh')} label={t('Faster than (km/h)')} hint={none} />
        <NumberInput field={number('parkedMinutes')} label={t('Parked longer than (min)')} hint={none} />
      </Box>
    </Section>
  );
}
