import { useTranslation } from 'react-i18next';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { useModeName } from './names.ts';

/** A policy in a line. */
export function usePolicyText(): (policy: RecordingPolicy) => string {
  const { t } = useTranslation('DeviceGroup');
  const modeName = useModeName();
  const scheduleText = useScheduleText();
  return ({ mode, quality, schedule, retentionDays }) => {
    if (mode === 'off') return modeName('off');
    const parts = [
      modeName(mode),
      quality === 'main' ? t('Main stream') : t('Sub stream'),
      ...(schedule.length === 0 ? [] : [scheduleText(schedule)]),
      retentionDays === 0 ? t('No retention limit') : t('Retention (days): {{days}}', { days: retentionDays }),
    ];
    return parts.join(' · ');
  };
}
