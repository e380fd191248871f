import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import type { ReportSchedule } from '../../../../shared/protocol/api/reports/reports.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { usePeriodNames } from '../periodText.ts';
import { useDeliveryText, usePauseText, useTimingText } from './useScheduleTexts.ts';

export function useScheduleColumns(): readonly Column<ReportSchedule>[] {
  const { t } = useTranslation('ReportPage');
  const zone = useUserZone();
  const periods = usePeriodNames();
  const timingText = useTimingText();
  const deliveryText = useDeliveryText();
  const stateText = useStateText();
  const moment = (atMs: number) => (atMs === 0 ? '' : formatTimestamp(atMs, zone));
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 140 },
    {
      name: 'enabled',
      title: t('Status'),
      text: stateText,
      render: (schedule) => <StateChip schedule={schedule} />,
      width: 110,
    },
    { name: 'kind', title: t('Report'), text: ({ kind }) => reportKindText(kind), minWidth: 140 },
    { name: 'period', title: t('Period'), text: ({ parameters }) => periods[parameters.period], minWidth: 110 },
    { name: 'timing', title: t('Runs'), text: timingText, minWidth: 190 },
    { name: 'recipients', title: t('Recipients'), text: ({ recipients }) => listText(recipients), minWidth: 150 },
    { name: 'lastRun', title: t('Last run'), text: ({ lastRunAtMs }) => moment(lastRunAtMs), width: 175 },
    {
      name: 'delivery',
      title: t('Delivery'),
      text: ({ lastDelivery }) => deliveryText(lastDelivery),
      minWidth: 100,
      // All at once would be wider than a computer's window.
      hiddenAtFirst: true,
    },
    {
      name: 'nextRunAtMs',
      title: t('Next run'),
      text: ({ enabled, pause, nextRunAtMs }) => (enabled && pause === '' ? moment(nextRunAtMs) : ''),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
  ];
}

function useStateText(): (schedule: ReportSchedule) => string {
  const { t } = useTranslation('ReportPage');
  const pauseText = usePauseText();
  return ({ enabled, pause }) => {
    if (!enabled) return t('Off');
    return pause === '' ? t('On') : pauseText(pause);
  };
}

function StateChip({ schedule }: { readonly schedule: ReportSchedule }) {
  const { t } = useTranslation('ReportPage');
  const text = useStateText()(schedule);
  const { enabled, pause } = schedule;
  if (enabled && pause !== '') {
    return <Chip size="small" variant="outlined" color="warning" label={t('Paused')} title={text} />;
  }
  return <Chip size="small" variant="outlined" color={enabled ? 'success' : 'default'} label={text} />;
}
