import { useTranslation } from 'react-i18next';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';

const NUMBER = new Intl.NumberFormat('en-US');

export function usePlanColumns(): readonly Column<SimPlan>[] {
  const { t } = useTranslation('Netflow');
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 160 },
    {
      name: 'megabytes',
      title: t('Size (MB)'),
      text: ({ megabytes }) => NUMBER.format(megabytes),
      sortable: true,
      width: 120,
      align: 'right',
    },
    {
      name: 'resetDay',
      title: t('Starts over on day'),
      text: ({ resetDay }) => String(resetDay),
      width: 150,
      align: 'right',
    },
    { name: 'timeZone', title: t('Time zone'), text: ({ timeZone }) => timeZone.replaceAll('_', ' '), width: 150 },
    { name: 'action', title: t('When used up'), text: ({ action }) => planActionText(action), minWidth: 190 },
    { name: 'price', title: t('Price'), text: ({ price }) => price, width: 130 },
    { name: 'devices', title: t('Devices'), text: ({ devices }) => NUMBER.format(devices), width: 100, align: 'right' },
  ];
}
