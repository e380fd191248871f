import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addEventReason, saveEventReason } from '../../../../shared/api/eventTypes.ts';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { EventReason, type EventReasonContent } from '../../../../shared/protocol/api/eventTypes.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { NameFields } from '../NameFields.tsx';
import { builtInNameOfReason } from '../names.ts';
import { useOtherLanguages } from '../useOtherLanguages.ts';
import { checkReason, draftOfReason, NEW_REASON, type ReasonRow, reasonOfDraft } from './reasonForm.ts';

export interface ReasonDialogProps {
  /** Undefined: a new one. */
  readonly reason: ReasonRow | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function ReasonDialog({ reason, onSaved, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('EventDefine');
  const [version, setVersion] = useState(reason?.version ?? 0);
  useOtherLanguages('EventReasons');
  const noName = t('Enter a name.');
  const form = useForm<EventReasonContent>({
    initial: reason === undefined ? NEW_REASON : draftOfReason(reason),
    check: (draft) => checkReason(draft, noName, reason?.isBuiltIn === true),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = reasonOfDraft(draft);
      return reason === undefined ? addEventReason(content) : saveEventReason({ id: reason.id, version }, content);
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={reason === undefined ? t('Add reason') : t('Closing reason {{name}}', { name: reason.name })}
      form={form}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <NameFields
        names={form.values}
        field={(name) => form.field(name)}
        builtIn={reason === undefined ? undefined : builtInNameOfReason(reason.code)}
      />
      <SwitchInput
        field={form.field('isFalseAlarm')}
        label={t('Counts as false alarm')}
        hint={t('Events closed for this reason get the status False alarm.')}
      />
      <SwitchInput
        field={form.field('enabled')}
        label={t('Enabled')}
        hint={t('Members can select it to close an event.')}
      />
      <ReasonConflict form={form} onVersion={setVersion} />
    </FormDialog>
  );
}

interface ReasonConflictProps {
  readonly form: Form<EventReasonContent>;
  readonly onVersion: (version: number) => void;
}

/** Another administrator has saved the reason first. */
function ReasonConflict({ form, onVersion }: ReasonConflictProps) {
  const { t } = useTranslation('EventDefine');
  if (form.conflict === undefined) return null;
  const theirs = readRecord(EventReason, form.conflict);
  return (
    <ConflictDialog
      versions={{ base: form.base, mine: form.values, theirs: draftOfReason(theirs) }}
      fields={[
        { name: 'nameEn', label: t('Name (English)'), show: ({ nameEn }) => nameEn },
        { name: 'nameZh', label: t('Name (Chinese)'), show: ({ nameZh }) => nameZh },
        { name: 'nameJp', label: t('Name (Japanese)'), show: ({ nameJp }) => nameJp },
        {
          name: 'isFalseAlarm',
          label: t('Counts as false alarm'),
          show: ({ isFalseAlarm }) => (isFalseAlarm ? t('Yes') : t('No')),
        },
        { name: 'enabled', label: t('Status'), show: ({ enabled }) => (enabled ? t('On') : t('Off')) },
      ]}
      onChoose={(values) => {
        onVersion(theirs.version);
        form.rebase(draftOfReason(theirs), values);
      }}
      onClose={form.dismissConflict}
    />
  );
}
