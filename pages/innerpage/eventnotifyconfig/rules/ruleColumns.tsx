import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import type { NotifyRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import type { RuleSummary } from './useRuleSummary.ts';

export function useRuleColumns(summary: RuleSummary): readonly Column<NotifyRule>[] {
  const { t } = useTranslation('NotifyConfig');
  const zone = useUserZone();
  // All at once would be wider than a computer's window.
  const hiddenAtFirst = true;
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 150 },
    {
      name: 'enabled',
      title: t('Status'),
      text: ({ enabled }) => (enabled ? t('On') : t('Off')),
      render: ({ enabled }) => <StateChip isOn={enabled} />,
      width: 90,
    },
    { name: 'events', title: t('Events'), text: summary.events, minWidth: 190 },
    { name: 'devices', title: t('Devices'), text: summary.devices, minWidth: 130 },
    { name: 'steps', title: t('Notifications'), text: summary.steps, minWidth: 280 },
    {
      name: 'stepCount',
      title: t('Steps'),
      text: ({ steps }) => String(steps.length),
      width: 90,
      align: 'right',
      hiddenAtFirst,
    },
    { name: 'senders', title: t('Senders'), text: summary.senders, minWidth: 130, hiddenAtFirst },
    { name: 'changedBy', title: t('Changed by'), text: ({ changedBy }) => changedBy, width: 120, hiddenAtFirst },
    {
      name: 'changedAtMs',
      title: t('Changed'),
      text: ({ changedAtMs }) => formatTimestamp(changedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
  ];
}

function StateChip({ isOn }: { readonly isOn: boolean }) {
  const { t } = useTranslation('NotifyConfig');
  return (
    <Chip size="small" variant="outlined" color={isOn ? 'success' : 'default'} label={isOn ? t('On') : t('Off')} />
  );
}
