import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addMember, saveMember } from '../../../../shared/api/accounts/membership.ts';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { type IssuedInvitation, MAX_NAME_LENGTH, Member } from '../../../../shared/protocol/api/accounts.ts';
import { MIN_PASSWORD_LENGTH } from '../../../../shared/protocol/passwords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { type Choices, useRoleName } from '../choices.ts';
import { AccessFields, EntryFields, PersonFields } from './MemberFields.tsx';
import { checkMember, contentOf, draftOf, type MemberDraft, NEW_MEMBER, newMemberOf } from './memberForm.ts';

export interface MemberDialogProps {
  /** Undefined: somebody new. */
  readonly member: Member | undefined;
  readonly choices: Choices;
  readonly onSaved: (name: string, invitation: IssuedInvitation | undefined) => void;
  readonly onClose: () => void;
}

export function MemberDialog({ member, choices, onSaved, onClose }: MemberDialogProps) {
  const { t } = useTranslation('Membership');
  const [version, setVersion] = useState(member?.version ?? 0);
  const texts = {
    noName: t('Enter a username.'),
    badName: t("Don't use the characters / \\ ? # %."),
    noRole: t('Select a role.'),
    shortPassword: t('Use at least {{count}} characters.', { count: MIN_PASSWORD_LENGTH }),
    badEmail: t('Enter an email address, such as name@example.com.'),
    badPhone: t('Enter a phone number with the country code, such as +886912345678.'),
    badTimestamp: t('Enter a date and time, such as 2025-03-31 18:00.'),
  };
  const form = useForm<MemberDraft>({
    initial: member === undefined ? NEW_MEMBER : draftOf(member),
    check: (draft) => checkMember(draft, texts, member === undefined),
  });
  const fields = useConflictFields(choices);
  const save = async () => {
    if (member === undefined) {
      const name = form.values.username.trim();
      const added = await form.submit(async (draft) => {
        const result = await addMember(newMemberOf(draft));
        return result.ok ? { ok: true, value: { invitation: result.value } } : result;
      });
      if (added !== undefined) onSaved(name, added.invitation);
      return;
    }
    const saved = await form.submit(async (draft) => saveMember(member.id, version, contentOf(draft)));
    if (saved !== undefined) onSaved(member.username, undefined);
  };
  const theirs = form.conflict === undefined ? undefined : readRecord(Member, form.conflict);
  return (
    <FormDialog
      title={member === undefined ? t('Add member') : t('Member {{name}}', { name: member.username })}
      form={form}
      onSubmit={() => void save()}
      onClose={onClose}
      {...(member === undefined ? { saveLabel: t('Add member') } : {})}
    >
      {member === undefined && (
        <TextInput
          field={form.field('username')}
          label={t('Username')}
          hint={t("Used to sign in and in links. You can't change it later.")}
          required
          autoFocus
          verbatim
          maxLength={MAX_NAME_LENGTH}
        />
      )}
      {member === undefined && <EntryFields form={form} />}
      <AccessFields form={form} choices={choices} member={member} />
      <PersonFields form={form} />
      {theirs !== undefined && (
        <ConflictDialog
          versions={{ base: form.base, mine: form.values, theirs: draftOf(theirs) }}
          fields={fields}
          onChoose={(values) => {
            setVersion(theirs.version);
            form.rebase(draftOf(theirs), values);
          }}
          onClose={form.dismissConflict}
        />
      )}
    </FormDialog>
  );
}

function useConflictFields({ roles, groups }: Choices) {
  const { t } = useTranslation('Membership');
  const roleName = useRoleName();
  const zone = useUserZone();
  const yesNo = (on: boolean): string => (on ? t('Yes') : t('No'));
  const groupName = (serialno: string) => groups.find((group) => String(group.serialno) === serialno)?.name ?? serialno;
  return [
    { name: 'displayName', label: t('Display name'), show: (draft: MemberDraft) => draft.displayName },
    {
      name: 'role',
      label: t('Role'),
      show: (draft: MemberDraft) => roleName(roles.find(({ id }) => String(id) === draft.role)),
    },
    { name: 'groups', label: t('Member groups'), show: (draft: MemberDraft) => listText(draft.groups.map(groupName)) },
    {
      name: 'language',
      label: t('Language'),
      show: (draft: MemberDraft) => LANGUAGES.find(({ locale }) => locale === draft.language)?.name ?? '',
    },
    { name: 'timeZone', label: t('Time zone'), show: (draft: MemberDraft) => draft.timeZone },
    { name: 'email', label: t('Email address'), show: (draft: MemberDraft) => draft.email },
    { name: 'phone', label: t('Phone number'), show: (draft: MemberDraft) => draft.phone },
    {
      name: 'expiresAtMs',
      label: t('Account expiry'),
      show: (draft: MemberDraft) => (draft.expiresAtMs === null ? '' : formatTimestamp(draft.expiresAtMs, zone)),
    },
    { name: 'disabled', label: t('Disabled'), show: (draft: MemberDraft) => yesNo(draft.disabled) },
    {
      name: 'wallMonitorAllowed',
      label: t('Long sessions on wall displays'),
      show: (draft: MemberDraft) => yesNo(draft.wallMonitorAllowed),
    },
  ] as const;
}
