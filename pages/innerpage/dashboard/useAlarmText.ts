import { useTranslation } from 'react-i18next';

/** The alarm of a bit of the alarm word, in words. */
export function useAlarmText(): (alarm: number) => string {
  const { t } = useTranslation('Alarms');
  const names = [
    ...[t('Emergency'), t('Overspeed'), t('Fatigue'), t('Danger'), t('GNSS module fault'), t('GNSS antenna open')],
    ...[
      t('GNSS antenna short'),
      t('Main power low'),
      t('Main power off'),
      t('Display fault'),
      t('Speech module fault'),
    ],
    ...[t('Camera fault'), t('Card reader fault'), t('Overspeed warning'), t('Fatigue warning'), t('Illegal driving')],
    ...[t('Tyre pressure'), t('Blind zone at a right turn'), t('Too long at the wheel today'), t('Parked too long')],
    ...[t('Area entered or left'), t('Route entered or left'), t('Section too fast or too slow'), t('Off the route')],
    ...[t('Speed sensor fault'), t('Fuel abnormal'), t('Stolen'), t('Illegal ignition'), t('Illegal move')],
    ...[t('Collision'), t('Rollover warning'), t('Door opened illegally')],
  ];
  return (alarm) => names[alarm] ?? String(alarm);
}
