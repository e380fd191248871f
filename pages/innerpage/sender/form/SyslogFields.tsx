import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { type SenderDraft, withPort } from './senderForm.ts';
import { useFieldLabels } from './useSenderTexts.ts';

/** In the order of RFC 5424, by the names that syslog servers know them by. */
const FACILITIES = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp', 'ntp'],
  ...['audit', 'alert', 'clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
];

export function SyslogFields({ form }: { readonly form: Form<SenderDraft> }) {
  const { t } = useTranslation('Sender');
  const labels = useFieldLabels('syslog');
  const transport = form.field('transport');
  return (
    <>
      <Box sx={COLUMNS}>
        <SelectInput
          field={{ ...transport, onChange: (next) => form.change(withPort(form.values, { transport: next })) }}
          label={labels.transport}
          options={[
            { value: 'tls', label: t('TLS') },
            { value: 'tcp', label: t('None') },
          ]}
        />
        <TextInput field={form.field('host')} label={labels.host} required verbatim />
        <NumberInput field={form.field('port')} label={labels.port} required />
      </Box>
      <Box sx={COLUMNS}>
        <SelectInput
          field={form.field('facility')}
          label={labels.facility}
          options={FACILITIES.map((name, at) => ({ value: String(at), label: `${at} ${name}` }))}
        />
        <TextInput field={form.field('appName')} label={labels.appName} required verbatim maxLength={48} />
      </Box>
    </>
  );
}

export function PushFields({ form }: { readonly form: Form<SenderDraft> }) {
  const { t } = useTranslation('Sender');
  const labels = useFieldLabels('push');
  return (
    <TextInput
      field={form.field('contact')}
      label={labels.contact}
      hint={t('Push services contact you here about problems.')}
      placeholder={t('Example: {{text}}', { text: 'mailto:admin@example.com' })}
      required
      verbatim
    />
  );
}
