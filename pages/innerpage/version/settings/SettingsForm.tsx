import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeServerSettings } from '../../../../shared/api/version/settings.ts';
import type { ServerSettings } from '../../../../shared/protocol/api/system/settings.ts';
import { FormBox } from '../../../../shared/ui/form/FormBox.tsx';
import { SaveRow } from '../../../../shared/ui/form/SaveRow.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import { SettingFields } from './SettingFields.tsx';
import { SettingsConflict } from './SettingsConflict.tsx';
import { checkSettings, draftOfSettings, type SettingsDraft, valuesOfDraft } from './settingsForm.ts';
import { useSettingTexts } from './useSettingTexts.ts';

export function SettingsForm({ settings }: { readonly settings: ServerSettings }) {
  const { t } = useTranslation('Version');
  const [known, setKnown] = useState(settings);
  const { problems } = useSettingTexts();
  const form = useForm<SettingsDraft>({
    initial: draftOfSettings(known),
    check: (draft) => checkSettings(draft, problems),
  });
  const { isDirty, reset } = form;
  // Somebody else has saved. What is being typed stays, and meets theirs when it is saved.
  useEffect(() => {
    if (isDirty || settings.version <= known.version) return;
    setKnown(settings);
    reset(draftOfSettings(settings));
  }, [settings, known, isDirty, reset]);
  const save = async () => {
    const saved = await form.submit((draft) =>
      changeServerSettings({ ...valuesOfDraft(draft), version: known.version }),
    );
    if (saved === undefined) return;
    setKnown(saved);
    form.reset(draftOfSettings(saved));
    notify('success', t('Settings saved.'));
  };
  return (
    <Box sx={{ maxWidth: 720, overflowY: 'auto', pb: 2 }}>
      <FormBox form={form} onSubmit={() => void save()}>
        <SettingFields form={form} presets={known.presets} />
        <SaveRow form={form} />
      </FormBox>
      <Elsewhere />
      <SettingsConflict form={form} onSettings={setKnown} />
    </Box>
  );
}
