import { useTranslation } from 'react-i18next';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import type { ReportJob } from '../../../../shared/protocol/api/reports/reports.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';

import { spanText } from '../periodText.ts';
import { StateChip, useStateText } from './StateText.tsx';

const NUMBER = new Intl.NumberFormat('en-US');

export function useJobColumns(): readonly Column<ReportJob>[] {
  const { t } = useTranslation('ReportPage');
  const zone = useUserZone();
  const stateText = useStateText();
  const hiddenAtFirst = true;
  return [
    { name: 'kind', title: t('Report'), text: ({ kind }) => reportKindText(kind), minWidth: 160 },
    { name: 'period', title: t('Period'), text: spanText, minWidth: 210 },
    {
      name: 'state',
      title: t('Status'),
      text: ({ state }) => stateText(state),
      render: (job) => <StateChip job={job} />,
      width: 140,
    },
    {
      name: 'rows',
      title: t('Rows'),
      text: ({ rows, isCut }) => `${NUMBER.format(rows)}${isCut ? '+' : ''}`,
      width: 100,
      align: 'right',
    },
    {
      name: 'bytes',
      title: t('Size'),
      text: ({ bytes }) => bytesText(bytes),
      width: 100,
      align: 'right',
      hiddenAtFirst,
    },
    {
      name: 'schedule',
      title: t('Requested by'),
      text: ({ schedule }) => (schedule === 0 ? t('You') : t('Schedule')),
      width: 120,
      hiddenAtFirst,
    },
    {
      name: 'createdAtMs',
      title: t('Created'),
      text: ({ createdAtMs }) => formatTimestamp(createdAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
    {
      name: 'expires',
      title: t('Kept until'),
      text: ({ expiresAtMs }) => (expiresAtMs === 0 ? '' : formatTimestamp(expiresAtMs, zone)),
      width: 175,
      hiddenAtFirst,
    },
  ];
}
