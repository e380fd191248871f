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
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { PasswordField } from '../../../../shared/ui/PasswordField.tsx';

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
      title={t('Make a one-time link for {{name}}?', { name: member.username })}
      text={t('With it a new password can be chosen, once. An earlier link of this member ends.')}
      action={t('Make the link')}
      onConfirm={() => inviteMember(member.id)}
      onDone={(invitation) => onDone(t('The link has been made.'), invitation)}
      onClose={onClose}
    />
  );
}

function SetPasswordDialog({ member, onDone, onClose }: MemberActionProps) {
  const { t } = useTranslation('Membership');
  const short = t('At least {{count}} characters.', { count: MIN_PASSWORD_LENGTH });
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
    if (saved === true) onDone(t('The password has been set; all sessions have ended.'));
  };
  return (
    <FormDialog
      title={t('Password of {{name}}', { name: member.username })}
      form={form}
      maxWidth="xs"
      saveLabel={t('Set the password')}
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
      title={t('Take the second factor of {{name}} away?', { name: member.username })}
      text={t('For a lost phone. The password alone opens the account until a new one is set up; all sessions end.')}
      action={t('Take away')}
      danger
      onConfirm={() => resetSecondFactor(member.id)}
      onDone={() => onDone(t('The second factor has been taken away.'))}
      onClose={onClose}
    />
  );
}

function RemoveMemberDialog({ member, onDone, onClose }: MemberActionProps) {
  const { t } = useTranslation('Membership');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: member.username })}
      text={t(
        'The account, its sessions and its links end at once and cannot be brought back. What it did stays in the audit.',
      )}
      action={t('Delete')}
      danger
      onConfirm={() => removeMember(member)}
      onDone={() => onDone(t('The member has been deleted.'))}
      onClose={onClose}
    />
  );
}
