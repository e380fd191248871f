import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addSender, saveSender } from '../../../../shared/api/notify/senders.ts';
import { senderKindText } from '../../../../shared/i18n/notifyWordText.ts';
import { MAX_SENDER_NAME, type Sender } from '../../../../shared/protocol/api/notify/senders.ts';
import { SENDER_KINDS } from '../../../../shared/protocol/notify/notifyWords.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { SenderTestSection } from '../test/SenderTestSection.tsx';
import { MailFields } from './MailFields.tsx';
import { SecretField } from './SecretField.tsx';
import { SenderConflict } from './SenderConflict.tsx';
import { PushFields, SyslogFields } from './SyslogFields.tsx';
import { checkSender } from './senderCheck.ts';
import { contentOf, draftOf, NEW_SENDER, type SenderDraft, warningOf, withPort } from './senderForm.ts';
import { flatRefusal } from './settingRefusal.ts';
import { useFieldLabels, useSenderTexts, useWarningText } from './useSenderTexts.ts';
import { SmsFields, WebhookFields } from './WebFields.tsx';

export interface SenderDialogProps {
  /** Undefined: a new one. */
  readonly sender: Sender | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function SenderDialog({ sender, onSaved, onClose }: SenderDialogProps) {
  const { t } = useTranslation('Sender');
  const [version, setVersion] = useState(sender?.version ?? 0);
  const texts = useSenderTexts();
  const check = (draft: SenderDraft) => checkSender(draft, texts);
  const form = useForm<SenderDraft>({ initial: sender === undefined ? NEW_SENDER : draftOf(sender), check });
  const save = async () => {
    const saved = await form.submit(async (draft) => {
      const content = contentOf(draft);
      const result =
        sender === undefined ? await addSender(content) : await saveSender(sender.id, { ...content, version });
      return result.ok ? result : flatRefusal(result);
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={sender === undefined ? t('Add sender') : t('Sender {{name}}', { name: sender.name })}
      form={form}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <CommonFields form={form} isNew={sender === undefined} />
      <KindFields form={form} />
      <SecretField form={form} hasStored={sender?.hasSecret === true} />
      <OpenWarning draft={form.values} />
      <SenderTestSection
        // What came of a test of another kind says nothing of this one.
        key={form.values.kind}
        draft={form.values}
        senderId={sender?.id}
        problems={check(form.values)}
      />
      <SenderConflict form={form} onVersion={setVersion} />
    </FormDialog>
  );
}

function CommonFields({ form, isNew }: { readonly form: Form<SenderDraft>; readonly isNew: boolean }) {
  const { t } = useTranslation(['Sender', 'NotifyWords']);
  const labels = useFieldLabels(form.values.kind);
  const kind = form.field('kind');
  return (
    <>
      <TextInput field={form.field('name')} label={labels.name} required autoFocus maxLength={MAX_SENDER_NAME} />
      <Box sx={COLUMNS}>
        <SelectInput
          field={{ ...kind, onChange: (next) => form.change(withPort(form.values, { kind: next })) }}
          label={labels.kind}
          hint={isNew ? undefined : t("You can't change the kind later.")}
          disabled={!isNew}
          options={SENDER_KINDS.map((value) => ({ value, label: senderKindText(value) }))}
        />
        <NumberInput
          field={form.field('perMinute')}
          label={labels.perMinute}
          hint={t('More messages wait. Leave empty for no limit.')}
        />
      </Box>
      <SwitchInput
        field={form.field('enabled')}
        label={labels.enabled}
        hint={t("While a sender is off, new events aren't sent by it. Messages that already wait are kept for a day.")}
      />
    </>
  );
}

function KindFields({ form }: { readonly form: Form<SenderDraft> }) {
  switch (form.values.kind) {
    case 'email':
      return <MailFields form={form} />;
    case 'webhook':
      return <WebhookFields form={form} />;
    case 'sms':
      return <SmsFields form={form} />;
    case 'syslog':
      return <SyslogFields form={form} />;
    case 'push':
      return <PushFields form={form} />;
  }
}

function OpenWarning({ draft }: { readonly draft: SenderDraft }) {
  const warningText = useWarningText();
  const warning = warningOf(draft);
  return warning === undefined ? null : <Alert severity="warning">{warningText(warning)}</Alert>;
}
