import { useTranslation } from 'react-i18next';
import { MAX_WEB_TITLE, type ServerPresets } from '../../../../shared/protocol/api/system/settings.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { PresetField } from './PresetField.tsx';
import { draftOfPresets, type SettingsDraft } from './settingsForm.ts';
import { useSettingTexts } from './useSettingTexts.ts';

export interface SettingFieldsProps {
  readonly form: Form<SettingsDraft>;
  readonly presets: ServerPresets;
}

export function SettingFields({ form, presets }: SettingFieldsProps) {
  const { t } = useTranslation('Version');
  const { names, show, layouts } = useSettingTexts();
  const preset = draftOfPresets(presets);
  const common = <Name extends keyof SettingsDraft>(name: Name) => ({
    field: form.field(name),
    label: names[name],
    preset: preset[name],
    presetText: show[name](preset),
  });
  return (
    <>
      <Section title={t('Appearance')} level="h2">
        <PresetField<string> {...common('webTitle')}>
          {(field, hint) => <TextInput field={field} label={names.webTitle} hint={hint} maxLength={MAX_WEB_TITLE} />}
        </PresetField>
        {(['liveLayout', 'playbackLayout'] as const).map((name) => (
          <PresetField key={name} {...common(name)}>
            {(field, hint) => <SelectInput field={field} label={names[name]} hint={hint} options={layouts} />}
          </PresetField>
        ))}
      </Section>
      <Section title={t('License')} level="h2">
        <PresetField<string> {...common('maxLicense')}>
          {(field, hint) => (
            <TextInput
              field={field}
              label={names.maxLicense}
              hint={hint}
              maxLength={10}
              verbatim
              placeholder={t('No limit')}
            />
          )}
        </PresetField>
        <PresetField<string> {...common('licenseExpires')}>
          {(field, hint) => (
            <TextInput
              field={field}
              label={names.licenseExpires}
              hint={hint}
              maxLength={10}
              verbatim
              placeholder="YYYY-MM-DD"
            />
          )}
        </PresetField>
      </Section>
    </>
  );
}
