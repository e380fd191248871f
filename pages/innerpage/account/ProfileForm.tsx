import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { getProfile, saveProfile } from '../../../shared/api/accounts/account.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { MAX_DISPLAY_NAME_LENGTH } from '../../../shared/protocol/api/accounts.ts';
import type { Profile } from '../../../shared/protocol/api/ownAccount.ts';
import { zoneOptions } from '../../../shared/time/zoneOptions.ts';
import { FormBox } from '../../../shared/ui/form/FormBox.tsx';
import { PickInput } from '../../../shared/ui/form/PickInput.tsx';
import { SaveRow } from '../../../shared/ui/form/SaveRow.tsx';
import { SelectInput } from '../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../shared/ui/form/useForm.ts';
import { notify } from '../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';
import { recheckSession } from '../../../shared/ui/session.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';

export function ProfileForm() {
  const { value, failure } = useRecord({ key: ['profile'], load: getProfile });
  if (value !== undefined) return <ProfileFields profile={value} />;
  return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
}

function ProfileFields({ profile }: { readonly profile: Profile }) {
  const { t } = useTranslation('Account');
  const form = useForm({ initial: profile });
  const save = async () => {
    const saved = await form.submit(saveProfile);
    if (saved === undefined) return;
    form.reset(saved);
    notify('success', t('Profile saved.'));
    // The time zone of this and other pages may have changed.
    await recheckSession();
  };
  return (
    <FormBox form={form} onSubmit={() => void save()}>
      <TextInput
        field={form.field('displayName')}
        label={t('Display name')}
        hint={t('Other members see this name.')}
        maxLength={MAX_DISPLAY_NAME_LENGTH}
      />
      <SelectInput
        field={form.field('language')}
        label={t('Language')}
        hint={t("Used in browsers where you haven't selected a language.")}
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
      <SaveRow form={form} />
    </FormBox>
  );
}
