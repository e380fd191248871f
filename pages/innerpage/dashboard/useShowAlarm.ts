// From a kind of alarm to the devices that had it.
import { useTranslation } from 'react-i18next';
import { getAlarmDevices } from '../../../shared/api/fleet.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { notify } from '../../../shared/ui/notifications.tsx';
import { useAlarmText } from './useAlarmText.ts';

/** Asks which devices had an alarm of a kind in the last 24 hours, and hands them on with the words for it. */
export function useShowAlarm(
  show: (deviceIds: readonly string[], label: string) => void,
): (alarm: number) => Promise<void> {
  const { t } = useTranslation('Dashboard');
  const nameOf = useAlarmText();
  return async (alarm) => {
    const result = await getAlarmDevices(alarm);
    if (result.ok) {
      show(result.value, t('{{alarm}}, 24 h', { alarm: nameOf(alarm) }));
      return;
    }
    const text = errorText(result);
    if (text !== undefined) notify('error', text);
  };
}
