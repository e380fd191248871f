import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import { MAX_DISPLAY_NAME_LENGTH, type Member } from '../../../../shared/protocol/api/accounts.ts';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { type Choices, useRoleName } from '../choices.ts';
import type { MemberDraft } from './memberForm.ts';

type MemberForm = Form<MemberDraft>;

/** How somebody new gets in. */
export function EntryFields({ form }: { readonly form: MemberForm }) {
  const { t } = useTranslation('Membership');
  const password = form.field('password');
  return (
    <>
      <SelectInput
        field={form.field('entry')}
        label={t('First sign-in')}
        options={[
          { value: 'link', label: t('With an invitation link: the member sets a password') },
          { value: 'password', label: t('With a password that you set') },
        ]}
      />
      {form.values.entry === 'password' && (
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="new-password"
          value={password.value}
          onChange={password.onChange}
          error={password.problem}
        />
      )}
    </>
  );
}

interface AccessFieldsProps {
  readonly form: MemberForm;
  readonly choices: Choices;
  readonly member: Member | undefined;
}

/** What the member may do. Nobody changes this of their own account. */
export function AccessFields({ form, choices, member }: AccessFieldsProps) {
  const { t } = useTranslation('Membership');
  const roleName = useRoleName();
  const isSelf = member?.isSelf === true;
  const own = isSelf ? t("You can't change this for your own account.") : undefined;
  const mayChooseGroups = !isSelf || member.mayPlace;
  const roles = choices.roles.filter(({ id, mayGive }) => mayGive || id === member?.role);
  const none = { value: '', label: '' };
  return (
    <>
      <SelectInput
        field={form.field('role')}
        label={t('Role')}
        required
        disabled={isSelf}
        hint={own}
        options={[
          ...(member === undefined ? [none] : []),
          ...(member?.role === 0 ? [{ value: '0', label: t('Custom permissions') }] : []),
          ...roles.map((role) => ({ value: String(role.id), label: roleName(role) })),
        ]}
      />
      <ManyInput
        placeholder=""
        field={form.field('groups')}
        label={t('Member groups')}
        hint={mayChooseGroups ? t('The member can see the devices in these groups.') : own}
        disabled={!mayChooseGroups}
        options={choices.groups.map(({ serialno, name }) => ({ value: String(serialno), label: name }))}
      />
      <DateTimeInput
        field={form.field('expiresAtMs')}
        label={t('Account expiry')}
        hint={own ?? t('Leave empty for no expiry.')}
        disabled={isSelf}
      />
      {member !== undefined && (
        <SwitchInput field={form.field('disabled')} label={t('Disabled')} hint={own} disabled={isSelf} />
      )}
      <SwitchInput
        field={form.field('wallMonitorAllowed')}
        label={t('Long sessions on wall displays')}
        hint={own ?? t('The member can stay signed in for up to 6 months on a wall display.')}
        disabled={isSelf}
      />
    </>
  );
}

/** What members may change of themselves too. */
export function PersonFields({ form }: { readonly form: MemberForm }) {
  const { t } = useTranslation('Membership');
  return (
    <>
      <TextInput field={form.field('displayName')} label={t('Display name')} maxLength={MAX_DISPLAY_NAME_LENGTH} />
      <TextInput
        field={form.field('email')}
        label={t('Email address')}
        hint={t('Notifications are sent to this address.')}
        type="email"
        verbatim
      />
      <TextInput
        field={form.field('phone')}
        label={t('Phone number')}
        hint={t('For text messages, with the country code, such as +886912345678.')}
        type="tel"
        verbatim
      />
      <SelectInput
        field={form.field('language')}
        label={t('Language')}
        options={[
          { value: '', label: t('Same as browser') },
          ...LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name })),
        ]}
      />
      <PickInput
        field={form.field('timeZone')}
        label={t('Time zone')}
        hint={t('Leave empty to use the browser setting.')}
        options={zoneOptions(Date.now())}
      />
    </>
  );
}
