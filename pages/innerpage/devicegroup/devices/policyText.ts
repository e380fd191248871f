import { useTranslation } from 'react-i18next';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { clockOf } from './deviceForm.ts';
import { useDayNames, useModeName } from './names.ts';

/** A policy in a line. */
export function usePolicyText(): (policy: RecordingPolicy) => string {
  const { t } = useTranslation('DeviceGroup');
  const modeName = useModeName();
  const days = useDayNames();
  return ({ mode, quality, schedule, retentionDays }) => {
    if (mode === 'off') return modeName('off');
    const windows = schedule.map(
      (window) =>
        `${window.days.map((day) => days[day - 1] ?? '').join(' ')} ${clockOf(window.fromMinute)}–${clockOf(window.toMinute)}`,
    );
    const parts = [
      modeName(mode),
      quality === 'main' ? t('Main stream') : t('Sub stream'),
      ...(windows.length === 0 ? [] : [windows.join('; ')]),
      retentionDays === 0 ? t('No retention limit') : t('Retention (days): {{days}}', { days: retentionDays }),
    ];
    return parts.join(' · ');
  };
}
