import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { type SenderDraft, withPort } from './senderForm.ts';
import { useFieldLabels } from './useSenderTexts.ts';

export function MailFields({ form }: { readonly form: Form<SenderDraft> }) {
  const { t } = useTranslation('Sender');
  const labels = useFieldLabels('email');
  const security = form.field('security');
  return (
    <>
      <Box sx={COLUMNS}>
        <SelectInput
          field={{ ...security, onChange: (next) => form.change(withPort(form.values, { security: next })) }}
          label={labels.security}
          options={[
            { value: 'tls', label: t('TLS from the start') },
            { value: 'starttls', label: t('STARTTLS, required') },
            { value: 'none', label: t('None') },
          ]}
        />
        <TextInput
          field={form.field('host')}
          label={labels.host}
          required
          verbatim
          placeholder={t('Example: {{text}}', { text: 'mail.example.com' })}
        />
        <NumberInput field={form.field('port')} label={labels.port} required />
      </Box>
      <Box sx={COLUMNS}>
        <TextInput field={form.field('fromAddress')} label={labels.fromAddress} type="email" required verbatim />
        <TextInput field={form.field('fromName')} label={labels.fromName} maxLength={100} />
      </Box>
      <TextInput
        field={form.field('username')}
        label={labels.username}
        hint={t('Leave empty for a server that asks for none.')}
        verbatim
        maxLength={254}
      />
    </>
  );
}
