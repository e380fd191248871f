// From a type of event to the devices that had one.
import { useTranslation } from 'react-i18next';
import { getEventDevices } from '../../../shared/api/fleet.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { notify } from '../../../shared/ui/notifications.tsx';

/** Asks which devices had an event of a type in the last 24 hours, and hands them on with the words for it. */
export function useShowEvents(
  show: (deviceIds: readonly string[], label: string) => void,
): (type: string, name: string) => Promise<void> {
  const { t } = useTranslation('Dashboard');
  return async (type, name) => {
    const result = await getEventDevices(type);
    if (result.ok) {
      show(result.value, t('{{event}}, 24 h', { event: name }));
      return;
    }
    const text = errorText(result);
    if (text !== undefined) notify('error', text);
  };
}
