import { useTranslation } from 'react-i18next';
import type { VideoLayout } from '../../../../shared/protocol/api/system.ts';
import { DEFAULT_TITLE } from '../../../../shared/ui/title.ts';
import type { SettingsDraft, SettingsTexts } from './settingsForm.ts';

type Show = { readonly [Name in keyof SettingsDraft]: (values: SettingsDraft) => string };

export interface SettingTexts {
  readonly names: Readonly<Record<keyof SettingsDraft, string>>;
  /** Each value in words; '' where the preset holds. */
  readonly show: Show;
  readonly layouts: readonly { readonly value: VideoLayout; readonly label: string }[];
  readonly problems: SettingsTexts;
}

export function useSettingTexts(): SettingTexts {
  const { t } = useTranslation('Version');
  const layouts = [
    { value: '', label: t('Up to four columns') },
    { value: '3x3', label: t('Three columns') },
  ] as const;
  const layoutText = (layout: VideoLayout | null) => layouts.find(({ value }) => value === layout)?.label ?? '';
  const textOr = (text: string | null, otherwise: string) => (text === '' ? otherwise : (text ?? ''));
  return {
    names: {
      webTitle: t('Title'),
      liveLayout: t('Live view of 7 or 8 channels'),
      playbackLayout: t('Playback of 7 or 8 channels'),
      maxLicense: t('Licensed devices'),
      licenseExpires: t('License expires (UTC)'),
    },
    show: {
      webTitle: ({ webTitle }) => textOr(webTitle, DEFAULT_TITLE),
      liveLayout: ({ liveLayout }) => layoutText(liveLayout),
      playbackLayout: ({ playbackLayout }) => layoutText(playbackLayout),
      maxLicense: ({ maxLicense }) => textOr(maxLicense, t('No limit')),
      licenseExpires: ({ licenseExpires }) => textOr(licenseExpires, t('Never')),
    },
    layouts,
    problems: {
      badCount: t('Enter a whole number, or nothing for no limit.'),
      badDay: t('Enter a date, such as 2027-01-31, or nothing for never.'),
    },
  };
}
