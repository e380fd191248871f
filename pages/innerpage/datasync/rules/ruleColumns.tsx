import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import { syncChoiceText } from '../../../../shared/i18n/syncText.ts';
import type { SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { useNetworkNames } from './useRuleTexts.ts';

export function useRuleColumns(): readonly Column<SyncRule>[] {
  const { t } = useTranslation('Datasync');
  const zone = useUserZone();
  const networks = useNetworkNames();
  const hiddenAtFirst = true;
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 170 },
    { name: 'enabled', title: t('Status'), text: ({ enabled }) => (enabled ? t('On') : t('Off')), width: 90 },
    { name: 'choice', title: t('What'), text: ({ choice }) => syncChoiceText(choice), minWidth: 180 },
    {
      name: 'devices',
      title: t('Devices'),
      text: ({ devices, deviceGroups }) =>
        devices.length + deviceGroups.length === 0
          ? t('All')
          : t('Groups: {{groups}}, devices: {{devices}}', { groups: deviceGroups.length, devices: devices.length }),
      minWidth: 170,
    },
    {
      name: 'networks',
      title: t('Networks'),
      text: (rule) =>
        listText((['wifi', 'lan', 'mobile'] as const).filter((each) => rule[each]).map((each) => networks[each])),
      minWidth: 150,
    },
    {
      name: 'priority',
      title: t('Priority'),
      text: ({ priority }) => String(priority),
      sortable: true,
      width: 95,
      align: 'right',
    },
    { name: 'openItems', title: t('Open'), text: ({ openItems }) => String(openItems), width: 90, align: 'right' },
    {
      name: 'changedAtMs',
      title: t('Changed'),
      text: ({ changedAtMs }) => formatTimestamp(changedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 175,
      hiddenAtFirst,
    },
    { name: 'changedBy', title: t('Changed by'), text: ({ changedBy }) => changedBy, width: 130, hiddenAtFirst },
  ];
}
