import { useTranslation } from 'react-i18next';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { PlanBar } from './PlanBar.tsx';
import { periodText } from './planText.ts';
import { useUsedText } from './useUsedText.ts';

export function useDeviceColumns(): readonly Column<NetflowDevice>[] {
  const { t } = useTranslation('Netflow');
  const usedText = useUsedText();
  const limitText = useLimitText();
  const hiddenAtFirst = true;
  return [
    {
      name: 'name',
      title: t('Device'),
      text: ({ deviceid, name, plate }) =>
        [name === '' ? deviceid : name, plate].filter((text) => text !== '').join(' · '),
      sortable: true,
      minWidth: 170,
    },
    { name: 'groupName', title: t('Group'), text: ({ groupName }) => groupName, width: 130, hiddenAtFirst },
    {
      name: 'usedBytes',
      title: t('This period'),
      text: usedText,
      render: (device) => <PlanBar device={device} />,
      sortable: true,
      minWidth: 210,
    },
    {
      name: 'period',
      title: t('Period'),
      text: periodText,
      width: 200,
      hiddenAtFirst,
    },
    {
      name: 'todayBytes',
      title: t('Today'),
      text: ({ todayBytes }) => bytesText(todayBytes),
      sortable: true,
      width: 100,
      align: 'right',
    },
    {
      name: 'forecastShare',
      title: t('Forecast'),
      text: ({ forecastBytes }) => (forecastBytes === null ? '' : bytesText(forecastBytes)),
      sortable: true,
      width: 110,
      align: 'right',
    },
    { name: 'planName', title: t('Data plan'), text: ({ planName }) => planName, width: 140 },
    { name: 'limit', title: t('Limit'), text: limitText, minWidth: 170 },
    { name: 'simNumber', title: t('SIM number'), text: ({ simNumber }) => simNumber, width: 140, hiddenAtFirst },
    {
      name: 'iccid',
      title: 'ICCID',
      text: ({ simIccid, reportedIccid }) =>
        simIccid !== '' && reportedIccid !== '' && simIccid !== reportedIccid
          ? t('{{entered}}, but the device reports {{reported}}', { entered: simIccid, reported: reportedIccid })
          : reportedIccid || simIccid,
      width: 210,
      hiddenAtFirst,
    },
    {
      name: 'simExpiryDay',
      title: t('SIM expires'),
      text: ({ simExpiryDay }) => simExpiryDay,
      width: 120,
      hiddenAtFirst,
    },
  ];
}

function useLimitText(): (device: NetflowDevice) => string {
  const { t } = useTranslation('Netflow');
  const zone = useUserZone();
  return ({ isLimited, action, liftedUntilMs, liftedBy }) => {
    if (liftedUntilMs > Date.now()) {
      return t('Lifted until {{time}} by {{name}}', { time: formatTimestamp(liftedUntilMs, zone), name: liftedBy });
    }
    return isLimited && action !== 'none' ? planActionText(action) : '';
  };
}
