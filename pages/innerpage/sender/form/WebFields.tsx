import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { SMS_METHODS } from '../../../../shared/protocol/api/notify/senders.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { HeadersInput } from './HeadersInput.tsx';
import type { SenderDraft } from './senderForm.ts';
import { useFieldLabels } from './useSenderTexts.ts';

interface WebFieldsProps {
  readonly form: Form<SenderDraft>;
}

export function WebhookFields({ form }: WebFieldsProps) {
  const { t } = useTranslation('Sender');
  const labels = useFieldLabels('webhook');
  return (
    <>
      <TextInput
        field={form.field('url')}
        label={labels.url}
        hint={t('Each message is posted to this address as JSON.')}
        required
        verbatim
      />
      <HeadersInput
        field={form.field('headers')}
        label={labels.headers}
        hint={t('{{name}} in a header value stands for the signing secret.', { name: '{{secret}}' })}
      />
    </>
  );
}

const PLACEHOLDERS = '{{to}}, {{text}}, {{secret}}';

export function SmsFields({ form }: WebFieldsProps) {
  const { t } = useTranslation('Sender');
  const labels = useFieldLabels('sms');
  return (
    <>
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('method')}
          label={labels.method}
          options={SMS_METHODS.map((value) => ({ value, label: value }))}
        />
      </Box>
      <TextInput
        field={form.field('url')}
        label={labels.url}
        hint={t('Placeholders in URL, headers and body: {{names}}.', { names: PLACEHOLDERS })}
        required
        verbatim
      />
      <HeadersInput field={form.field('headers')} label={labels.headers} />
      {form.values.method !== 'GET' && (
        <TextInput field={form.field('body')} label={labels.body} rows={3} maxLength={4_000} verbatim />
      )}
    </>
  );
}
