import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { MAX_DEVICE_CHANNELS } from '../../../../shared/protocol/api/devices.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { TypeDraft } from './typeForm.ts';

const CHANNELS = Array.from({ length: MAX_DEVICE_CHANNELS }, (_, index) => index + 1);

/** What members have to do about an event, and what is kept of it. */
export function AnswerFields({ form }: { readonly form: Form<TypeDraft> }) {
  const { t } = useTranslation('EventDefine');
  return (
    <Section title={t('Response and evidence')}>
      <SwitchInput
        field={form.field('needsAcknowledgment')}
        label={t('Needs acknowledgment')}
        hint={t('Members confirm that they have seen the event.')}
      />
      <Box sx={COLUMNS}>
        <NumberInput field={form.field('clipBeforeS')} label={t('Clip before the event (s)')} required />
        <NumberInput field={form.field('clipAfterS')} label={t('Clip after the event (s)')} required />
      </Box>
      <ManyInput
        placeholder=""
        field={form.field('snapshotChannels')}
        label={t('Snapshot channels')}
        hint={t('Leave empty for no snapshots.')}
        options={CHANNELS.map((channel) => ({ value: String(channel), label: `ch ${channel}` }))}
      />
    </Section>
  );
}
