import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelMessages, resendMessages } from '../../../../shared/api/notify/notifyMessages.ts';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { cancelable, resendable } from './messageSelection.ts';

export interface MessageActionsProps {
  readonly messages: readonly NotifyMessage[];
  readonly onDone: () => void;
}

/** What can be done to messages, after a question. */
export function MessageActions({ messages, onDone }: MessageActionsProps) {
  const { t } = useTranslation('NotifyConfig');
  const [asked, setAsked] = useState<'resend' | 'cancel'>();
  const [again, waiting] = [resendable(messages), cancelable(messages)];
  const done = (text: string) => {
    setAsked(undefined);
    notify('success', text);
    onDone();
  };
  const close = () => setAsked(undefined);
  return (
    <>
      <Button size="small" disabled={again.length === 0} onClick={() => setAsked('resend')}>
        {t('Resend')}
      </Button>
      <Button size="small" color="error" disabled={waiting.length === 0} onClick={() => setAsked('cancel')}>
        {t('Cancel messages')}
      </Button>
      {asked === 'resend' && (
        <ConfirmDialog
          title={t('Resend messages?')}
          text={t('Messages to send again: {{count}}. Recipients may get a message twice.', { count: again.length })}
          action={t('Resend')}
          onConfirm={() => resendMessages(again)}
          onDone={({ changed }) => done(t('Messages queued: {{count}}', { count: changed }))}
          onClose={close}
        />
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={t('Cancel messages?')}
          text={t('Messages to cancel: {{count}}. You can resend them later.', {
            count: waiting.length,
          })}
          action={t('Cancel messages')}
          dismissal={t('Keep messages')}
          danger
          onConfirm={() => cancelMessages(waiting)}
          onDone={({ changed }) => done(t('Messages canceled: {{count}}', { count: changed }))}
          onClose={close}
        />
      )}
    </>
  );
}
