import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import type { RuleContext } from './ruleContext.ts';

/** Repeats, digests, and the language of messages to those who have none of their own. */
export function MessageSection({ context: { form } }: { readonly context: RuleContext }) {
  const { t } = useTranslation('NotifyConfig');
  return (
    <Section title={t('Messages')}>
      <Box sx={COLUMNS}>
        <NumberInput
          field={form.field('repeatMinutes')}
          label={t('Repeat every (min)')}
          hint={t('Repeats the last step until the event is answered, for 24 hours at most. Leave empty for none.')}
        />
        <NumberInput
          field={form.field('digestMinutes')}
          label={t('Digest (min)')}
          hint={t('Collects events and sends one message for all. Leave empty for a message per event.')}
        />
        <SelectInput
          field={form.field('language')}
          label={t('Language')}
          hint={t('For services and other addresses. Members have their own.')}
          options={LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
        />
      </Box>
    </Section>
  );
}
