import { useTranslation } from 'react-i18next';

/** The alarm of a bit of the alarm word, in words. */
export function useAlarmText(): (alarm: number) => string {
  const { t } = useTranslation('Alarms');
  const names = [
    t('Emergency (SOS)'),
    t('Speeding'),
    t('Fatigue'),
    t('Danger warning'),
    t('GNSS module fault'),
    t('GNSS antenna disconnected'),
    t('GNSS antenna short circuit'),
    t('Low main power voltage'),
    t('Main power lost'),
    t('Display fault'),
    t('Voice module fault'),
    t('Camera fault'),
    t('Card reader fault'),
    t('Speeding warning'),
    t('Fatigue warning'),
    t('Driving violation'),
    t('Tire pressure warning'),
    t('Right-turn blind spot'),
    t('Daily driving limit exceeded'),
    t('Parked too long'),
    t('Geofence entered or exited'),
    t('Route entered or exited'),
    t('Section time out of range'),
    t('Off route'),
    t('Speed sensor fault'),
    t('Abnormal fuel level'),
    t('Vehicle theft'),
    t('Unauthorized ignition'),
    t('Unauthorized movement'),
    t('Collision'),
    t('Rollover warning'),
    t('Unauthorized door opening'),
  ];
  return (alarm) => names[alarm] ?? String(alarm);
}
