import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { saveOwnNotify } from '../../../../shared/api/notify/ownNotify.ts';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import type { OwnNotify } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import type { WeekWindow } from '../../../../shared/protocol/api/weekWindows.ts';
import { PERSONAL_KINDS, type PersonalKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { FormBox } from '../../../../shared/ui/form/FormBox.tsx';
import { SaveRow } from '../../../../shared/ui/form/SaveRow.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { type Field, useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import { checkNotify, contentOf, draftOf, type NotifyDraft } from './notifyForm.ts';

export interface NotifyFormProps {
  readonly own: OwnNotify;
  readonly onSaved: () => void;
}

/** Where and how the user is notified, within what rules allow. */
export function NotifyForm({ own, onSaved }: NotifyFormProps) {
  const { t } = useTranslation('Account');
  const texts = {
    badEmail: t('Enter an email address, such as name@example.com.'),
    badPhone: t('Enter a phone number with the country code, such as +886912345678.'),
  };
  const form = useForm<NotifyDraft>({ initial: draftOf(own), check: (draft) => checkNotify(draft, texts) });
  const save = async () => {
    const saved = await form.submit((draft) => saveOwnNotify(contentOf(draft)));
    if (saved === undefined) return;
    form.reset(draftOf(saved));
    notify('success', t('Notification settings saved.'));
    onSaved();
  };
  return (
    <FormBox form={form} onSubmit={() => void save()}>
      <TextInput field={form.field('email')} label={t('Email address')} type="email" autoComplete="email" verbatim />
      <TextInput
        field={form.field('phone')}
        label={t('Phone number')}
        hint={t('For text messages, with the country code, such as +886912345678.')}
        type="tel"
        autoComplete="tel"
        verbatim
      />
      <ChannelsInput field={form.field('channels')} />
      <QuietHoursInput field={form.field('quietHours')} />
      <SelectInput
        field={form.field('messageLanguage')}
        label={t('Language of messages')}
        options={[
          { value: '', label: t('Same as account') },
          ...LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name })),
        ]}
      />
      <SaveRow form={form} />
    </FormBox>
  );
}

function ChannelsInput({ field }: { readonly field: Field<NotifyDraft['channels']> }) {
  const { t } = useTranslation('Account');
  const [labelId, hintId] = [useId(), useId()];
  const labels: Readonly<Record<PersonalKind, string>> = {
    email: t('Email'),
    sms: t('Text message'),
    push: t('Browser notification'),
  };
  return (
    <FormGroup role="group" aria-labelledby={labelId} aria-describedby={hintId}>
      <FormLabel id={labelId}>{t('Notify me by')}</FormLabel>
      {PERSONAL_KINDS.map((kind) => (
        <FormControlLabel
          key={kind}
          label={labels[kind]}
          control={
            <Checkbox
              size="small"
              checked={field.value[kind]}
              disabled={field.disabled}
              onChange={(_, isOn) => field.onChange({ ...field.value, [kind]: isOn })}
            />
          }
        />
      ))}
      <FormHelperText id={hintId} sx={{ mx: 0 }}>
        {t('Some notification rules ignore this choice and your quiet hours.')}
      </FormHelperText>
    </FormGroup>
  );
}

const NIGHT: WeekWindow = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 22 * 60, toMinute: 7 * 60 };

function QuietHoursInput({ field }: { readonly field: Field<NotifyDraft['quietHours']> }) {
  const { t } = useTranslation('Account');
  const [labelId, hintId] = [useId(), useId()];
  return (
    <FormGroup role="group" aria-labelledby={labelId} aria-describedby={hintId} sx={{ display: 'grid', gap: 1 }}>
      <FormLabel id={labelId}>{t('Quiet hours')}</FormLabel>
      <WeekScheduleInput
        schedule={field.value}
        onChange={field.onChange}
        disabled={field.disabled}
        first={{ window: NIGHT, label: t('Add quiet hours') }}
      />
      <FormHelperText id={hintId} sx={{ mx: 0 }}>
        {t('Messages wait until they end. Critical events can still reach you.')}
      </FormHelperText>
    </FormGroup>
  );
}
