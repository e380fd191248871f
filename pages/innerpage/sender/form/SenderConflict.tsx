import { useTranslation } from 'react-i18next';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { Sender } from '../../../../shared/protocol/api/notify/senders.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { draftOf, type SenderDraft, settingNamesOf } from './senderForm.ts';
import { useFieldLabels } from './useSenderTexts.ts';

export interface SenderConflictProps {
  readonly form: Form<SenderDraft>;
  readonly onVersion: (version: number) => void;
}

/** Another administrator has saved the sender first. */
export function SenderConflict({ form, onVersion }: SenderConflictProps) {
  const { t } = useTranslation('Sender');
  const { kind } = form.values;
  const labels = useFieldLabels(kind);
  if (form.conflict === undefined) return null;
  const theirs = readRecord(Sender, form.conflict);
  const show = (name: keyof SenderDraft) => (draft: SenderDraft) => {
    const value = draft[name];
    if (typeof value === 'boolean') return value ? t('On') : t('Off');
    if (Array.isArray(value)) return listText(draft.headers.map((header) => `${header.name}: ${header.value}`));
    return String(value ?? '');
  };
  const names = ['name', 'enabled', 'perMinute', ...settingNamesOf(kind)] as const;
  return (
    <ConflictDialog
      versions={{ base: form.base, mine: form.values, theirs: draftOf(theirs) }}
      fields={names.map((name) => ({ name, label: labels[name], show: show(name) }))}
      onChoose={(values) => {
        onVersion(theirs.version);
        form.rebase(draftOf(theirs), values);
      }}
      onClose={form.dismissConflict}
    />
  );
}
