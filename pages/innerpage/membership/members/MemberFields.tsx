import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import type { Member } from '../../../../shared/protocol/api/accounts.ts';
import { zoneLabel, zoneNames } from '../../../../shared/time/zones.ts';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { PickManyInput } from '../../../../shared/ui/form/PickManyInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { PasswordField } from '../../../../shared/ui/PasswordField.tsx';
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
          { value: 'link', label: t('By a one-time link, with a password of their own') },
          { value: 'password', label: t('With a password that you give') },
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
  const own = isSelf ? t('Nobody changes this of their own account.') : undefined;
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
          ...(member?.role === 0 ? [{ value: '0', label: t('Own list') }] : []),
          ...roles.map((role) => ({ value: String(role.id), label: roleName(role) })),
        ]}
      />
      <PickManyInput
        field={form.field('groups')}
        label={t('Member groups')}
        hint={mayChooseGroups ? t('The member sees the devices of these.') : own}
        disabled={!mayChooseGroups}
        options={choices.groups.map(({ serialno, name }) => ({ value: String(serialno), label: name }))}
      />
      <DateTimeInput
        field={form.field('expiresAtMs')}
        label={t('Account ends')}
        hint={own ?? t('Empty: never.')}
        disabled={isSelf}
      />
      {member !== undefined && (
        <SwitchInput field={form.field('disabled')} label={t('Disabled')} hint={own} disabled={isSelf} />
      )}
      <SwitchInput
        field={form.field('wallMonitorAllowed')}
        label={t('Long sessions for wall monitors')}
        hint={own ?? t('Stays signed in for up to half a year on a screen that says so at sign-in.')}
        disabled={isSelf}
      />
    </>
  );
}

/** What members may change of themselves too. */
export function PersonFields({ form }: { readonly form: MemberForm }) {
  const { t } = useTranslation('Membership');
  const now = Date.now();
  return (
    <>
      <TextInput field={form.field('displayName')} label={t('Display name')} maxLength={100} />
      <SelectInput
        field={form.field('language')}
        label={t('Language')}
        options={[
          { value: '', label: t("The browser's") },
          ...LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name })),
        ]}
      />
      <PickInput
        field={form.field('timeZone')}
        label={t('Time zone')}
        hint={t("Empty: the browser's.")}
        options={zoneNames().map((zone) => ({ value: zone, label: zoneLabel(zone, now) }))}
      />
    </>
  );
}
