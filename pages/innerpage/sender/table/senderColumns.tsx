import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { senderKindText } from '../../../../shared/i18n/notifyWordText.ts';
import type { Sender } from '../../../../shared/protocol/api/notify/senders.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { type SenderState, senderStateOf } from './senderState.ts';

const COLORS = { off: 'default', failing: 'error', working: 'success', unused: 'info' } as const;

export function useSenderColumns(): readonly Column<Sender>[] {
  const { t } = useTranslation(['Sender', 'NotifyWords']);
  const zone = useUserZone();
  const stateName = useStateName();
  const moment = (atMs: number): string => (atMs === 0 ? t('Never') : formatTimestamp(atMs, zone));
  const stateText = (row: Sender): string => stateName(senderStateOf(row));
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 150 },
    { name: 'kind', title: t('Kind'), text: ({ kind }) => senderKindText(kind), sortable: true, width: 140 },
    {
      name: 'state',
      title: t('Status'),
      text: stateText,
      render: (row) => (
        <Chip size="small" variant="outlined" color={COLORS[senderStateOf(row)]} label={stateText(row)} />
      ),
      width: 110,
    },
    { name: 'waiting', title: t('Waiting'), text: ({ waiting }) => String(waiting), align: 'right', width: 100 },
    { name: 'lastSentAtMs', title: t('Last sent'), text: ({ lastSentAtMs }) => moment(lastSentAtMs), width: 190 },
    {
      name: 'lastFailureAtMs',
      title: t('Last failure'),
      text: ({ lastFailureAtMs }) => moment(lastFailureAtMs),
      width: 190,
    },
    { name: 'lastFailure', title: t('Reason'), text: ({ lastFailure }) => lastFailure, minWidth: 160 },
    {
      name: 'perMinute',
      title: t('Per minute'),
      text: ({ perMinute }) => (perMinute === 0 ? t('No limit') : String(perMinute)),
      align: 'right',
      hiddenAtFirst: true,
      width: 110,
    },
  ];
}

function useStateName(): (state: SenderState) => string {
  const { t } = useTranslation('Sender');
  return (state) => ({ off: t('Off'), failing: t('Failing'), working: t('Working'), unused: t('Not used') })[state];
}
