import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendDriverText } from '../../../api/devices/driverText.ts';
import { DRIVER_TEXT_MAX } from '../../../protocol/api/deviceOrders.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import { FormDialog } from '../../form/FormDialog.tsx';
import { SwitchInput } from '../../form/SwitchInput.tsx';
import { TextInput } from '../../form/TextInput.tsx';
import { useTerminalTextHint } from '../../form/text/useTerminalTextHint.ts';
import { useForm } from '../../form/useForm.ts';
import { notify } from '../../notifications.tsx';
import { deviceText } from '../eventText.ts';
import { DriverQuestionDialog } from './DriverQuestionDialog.tsx';

export interface DriverTextDialogProps {
  readonly event: EventRow;
  readonly onClose: () => void;
}

/** Text for the driver, on the terminal's display and, if wanted, through its loudspeaker. */
export function DriverTextDialog({ event, onClose }: DriverTextDialogProps) {
  const { t } = useTranslation('Events');
  const { deviceid } = event;
  const hintOf = useTerminalTextHint();
  const [isQuestion, setQuestion] = useState(false);
  const form = useForm({
    initial: { text: '', speech: true, urgent: event.severity === 'critical' },
    check: ({ text }) => ({ text: text.trim() === '' ? t('Enter a text.') : undefined }),
  });
  if (isQuestion) return <DriverQuestionDialog event={event} onClose={onClose} />;
  const send = async () => {
    const sent = await form.submit((values) => sendDriverText({ deviceid, ...values }));
    if (sent === undefined) return;
    const device = deviceText(event);
    if (sent.isOnline) notify('success', t('Text sent to {{device}}.', { device }));
    else notify('info', t('{{device}} is offline. The text is sent if it connects within 5 minutes.', { device }));
    onClose();
  };
  return (
    <FormDialog
      title={t('Text to the driver of {{device}}', { device: deviceText(event) })}
      form={form}
      saveLabel={t('Send')}
      onSubmit={() => void send()}
      onClose={onClose}
      aside={
        <Button disabled={form.isSaving} onClick={() => setQuestion(true)}>
          {t('Ask a question')}
        </Button>
      }
    >
      <TextInput
        field={form.field('text')}
        label={t('Text')}
        hint={hintOf(form.values.text)}
        required
        autoFocus
        rows={3}
        maxLength={DRIVER_TEXT_MAX}
      />
      <SwitchInput field={form.field('speech')} label={t('Read out')} />
      <SwitchInput field={form.field('urgent')} label={t('Urgent')} />
    </FormDialog>
  );
}
