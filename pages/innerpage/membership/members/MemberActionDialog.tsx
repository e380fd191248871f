// What is done to a member beside the form, each asked for once more.
import { useTranslation } from 'react-i18next';
import {
  inviteMember,
  removeMember,
  resetSecondFactor,
  setMemberPassword,
} from '../../../../shared/api/accounts/membership.ts';
import type { IssuedInvitation, Member } from '../../../../shared/protocol/api/accounts.ts';
import { MIN_PASSWORD_LENGTH } from '../../../../shared/protocol/passwords.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';

export type MemberAction = 'invite' | 'password' | 'second-factor' | 'remove';

export interface MemberActionProps {
  readonly action: MemberAction;
  readonly member: Member;
  readonly onDone: (text: string, invitation?: IssuedInvitation) => void;
  readonly onClose: () => void;
}

export function MemberActionDialog(props: MemberActionProps) {
  switch (props.action) {
    case 'invite':
      return <InviteMemberDialog {...props} />;
    case 'password':
      return <SetPasswordDialog {...props} />;
    case 'second-factor':
      return <ResetSecondFactorDialog {...props} />;
    case 'remove':
      return <RemoveMemberDialog {...props} />;
  }
}

function InviteMemberDialog({ member, onDone, onClose }: MemberActionProps) {
  const { t } = useTranslation('Membership');
  return (
    <ConfirmDialog
      title={t('Create an invitation link for {{name}}?', { name: member.username })}
      text={t('The link sets a new password, once. Earlier links of this member stop working.')}
      action={t('Create link')}
      onConfirm={() => inviteMember(member.id)}
      onDone={(invitation) => onDone(t('Invitation link created.'), invitation)}
      onClose={onClose}
    />
  );
}

function SetPasswordDialog({ member, onDone, onClose }: MemberActionProps) {
  const { t } = useTranslation('Membership');
  const short = t('Use at least {{count}} characters.', { count: MIN_PASSWORD_LENGTH });
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: password.length < MIN_PASSWORD_LENGTH ? short : undefined }),
  });
  const field = form.field('password');
  const save = async () => {
    const saved = await form.submit(async ({ password }) => {
      const result = await setMemberPassword(member.id, password);
      return result.ok ? { ok: true, value: true } : result;
    });
    if (saved === true) onDone(t('Password set. All sessions of the member ended.'));
  };
  return (
    <FormDialog
      title={t('Password of {{name}}', { name: member.username })}
      form={form}
      maxWidth="xs"
      saveLabel={t('Set password')}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <PasswordField
        label={t('New password')}
        name="password"
        autoComplete="new-password"
        value={field.value}
        onChange={field.onChange}
        error={field.problem}
      />
    </FormDialog>
  );
}

function ResetSecondFactorDialog({ member, onDone, onClose }: MemberActionProps) {
  const { t } = useTranslation('Membership');
  return (
    <ConfirmDialog
      title={t('Reset 2FA of {{name}}?', { name: member.username })}
      text={t("Until it's set up again, the member signs in with the password only. All sessions end.")}
      action={t('Reset')}
      danger
      onConfirm={() => resetSecondFactor(member.id)}
      onDone={() => onDone(t('Two-factor authentication reset.'))}
      onClose={onClose}
    />
  );
}

function RemoveMemberDialog({ member, onDone, onClose }: MemberActionProps) {
  const { t } = useTranslation('Membership');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: member.username })}
      text={t("The account, its sessions, and its share links are deleted. The audit log stays. This can't be undone.")}
      action={t('Delete')}
      danger
      onConfirm={() => removeMember(member)}
      onDone={() => onDone(t('Member deleted.'))}
      onClose={onClose}
    />
  );
}
