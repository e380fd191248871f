import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addGroup, saveGroup } from '../../../../shared/api/accounts/membership.ts';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { EditedGroup, MAX_NAME_LENGTH } from '../../../../shared/protocol/api/accounts.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import type { Choices } from '../choices.ts';
import { checkGroup, draftOfGroup, type GroupDraft, groupOfDraft, NEW_GROUP } from './groupForm.ts';

export interface GroupDialogProps {
  /** Undefined: a new one. */
  readonly group: EditedGroup | undefined;
  readonly choices: Choices;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function GroupDialog({ group, choices, onSaved, onClose }: GroupDialogProps) {
  const { t } = useTranslation('Membership');
  const [version, setVersion] = useState(group?.version ?? 0);
  const texts = {
    noName: t('Enter a name.'),
    badDays: t('Enter a whole number from 1 to 36,500, or leave it empty.'),
    badTimestamp: t('Enter a date and time, such as 2025-03-31 18:00.'),
  };
  const form = useForm<GroupDraft>({
    initial: group === undefined ? NEW_GROUP : draftOfGroup(group),
    check: (draft) => checkGroup(draft, texts),
  });
  const save = async () => {
    const saved = await form.submit(async (draft) => {
      const content = groupOfDraft(draft);
      const result = await (group === undefined ? addGroup(content) : saveGroup(group.serialno, version, content));
      return result.ok ? { ok: true, value: true } : result;
    });
    if (saved === true) onSaved();
  };
  const theirs = form.conflict === undefined ? undefined : readRecord(EditedGroup, form.conflict);
  const fields = useConflictFields(choices);
  return (
    <FormDialog
      title={group === undefined ? t('Add member group') : t('Member group {{name}}', { name: group.name })}
      form={form}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextInput field={form.field('name')} label={t('Name')} required autoFocus maxLength={MAX_NAME_LENGTH} />
      <ManyInput
        placeholder=""
        field={form.field('deviceGroups')}
        label={t('Device groups')}
        hint={t('Members of the group can see the devices in these groups.')}
        options={choices.deviceGroups.map(({ serialno, name }) => ({ value: String(serialno), label: name }))}
      />
      <NumberInput
        field={form.field('retentionDays')}
        label={t('Recording retention (days)')}
        hint={t('Leave empty for no limit.')}
      />
      <DateTimeInput
        field={form.field('expiresAtMs')}
        label={t('Record expiry')}
        hint={t('Leave empty for no expiry.')}
      />
      {theirs !== undefined && (
        <ConflictDialog
          versions={{ base: form.base, mine: form.values, theirs: draftOfGroup(theirs) }}
          fields={fields}
          onChoose={(values) => {
            setVersion(theirs.version);
            form.rebase(draftOfGroup(theirs), values);
          }}
          onClose={form.dismissConflict}
        />
      )}
    </FormDialog>
  );
}

function useConflictFields({ deviceGroups }: Choices) {
  const { t } = useTranslation('Membership');
  const zone = useUserZone();
  const nameOf = (serialno: string) =>
    deviceGroups.find((each) => String(each.serialno) === serialno)?.name ?? serialno;
  return [
    { name: 'name', label: t('Name'), show: (draft: GroupDraft) => draft.name },
    {
      name: 'deviceGroups',
      label: t('Device groups'),
      show: (draft: GroupDraft) => listText(draft.deviceGroups.map(nameOf)),
    },
    {
      name: 'retentionDays',
      label: t('Recording retention (days)'),
      show: (draft: GroupDraft) => (draft.retentionDays === null ? '' : String(draft.retentionDays)),
    },
    {
      name: 'expiresAtMs',
      label: t('Record expiry'),
      show: (draft: GroupDraft) => (draft.expiresAtMs === null ? '' : formatTimestamp(draft.expiresAtMs, zone)),
    },
  ] as const;
}
