import { useTranslation } from 'react-i18next';
import type { WeekSchedule } from '../../protocol/api/weekWindows.ts';
import { clockOf } from './clock.ts';

/** From Monday on. */
export function useDayNames(): readonly string[] {
  const { t } = useTranslation('Schedule');
  return [t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat'), t('Sun')];
}

/** A schedule in a line; '' for one without windows. */
export function useScheduleText(): (schedule: WeekSchedule) => string {
  const days = useDayNames();
  return (schedule) =>
    schedule
      .map((window) => {
        const names = window.days.map((day) => days[day - 1] ?? '').join(' ');
        return `${names} ${clockOf(window.fromMinute)}–${clockOf(window.toMinute)}`;
      })
      .join('; ');
}
