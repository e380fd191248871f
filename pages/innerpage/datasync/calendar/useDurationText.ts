import { useTranslation } from 'react-i18next';

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;

/** `2 h 05 min`; less than a minute is one. */
export function useDurationText(): (ms: number) => string {
  const { t } = useTranslation('Datasync');
  return (ms) => {
    const all = Math.max(1, Math.round(ms / MINUTE_MS));
    const [hours, minutes] = [Math.floor(all / MINUTES_AN_HOUR), all % MINUTES_AN_HOUR];
    if (hours === 0) return t('{{minutes}} min', { minutes });
    return t('{{hours}} h {{minutes}} min', { hours, minutes: String(minutes).padStart(2, '0') });
  };
}
