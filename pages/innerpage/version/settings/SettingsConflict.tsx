import { useTranslation } from 'react-i18next';
import { readServerSettings } from '../../../../shared/api/version/settings.ts';
import type { ServerSettings } from '../../../../shared/protocol/api/system/settings.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { draftOfSettings, type SettingsDraft } from './settingsForm.ts';
import { useSettingTexts } from './useSettingTexts.ts';

export interface SettingsConflictProps {
  readonly form: Form<SettingsDraft>;
  /** The settings as they are now. */
  readonly onSettings: (settings: ServerSettings) => void;
}

const NAMES = ['webTitle', 'liveLayout', 'playbackLayout', 'maxLicense', 'licenseExpires'] as const;

/** Another member has saved the settings first. */
export function SettingsConflict({ form, onSettings }: SettingsConflictProps) {
  const { t } = useTranslation('Version');
  const { names, show } = useSettingTexts();
  if (form.conflict === undefined) return null;
  const settings = readServerSettings(form.conflict);
  const theirs = draftOfSettings(settings);
  const shown = (name: keyof SettingsDraft) => (values: SettingsDraft) =>
    values[name] === null ? t('Preset') : show[name](values);
  return (
    <ConflictDialog<SettingsDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={NAMES.map((name) => ({ name, label: names[name], show: shown(name) }))}
      onChoose={(values) => {
        onSettings(settings);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}
