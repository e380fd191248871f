import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { labelsOf } from '../../../../shared/ui/form/selectedOptions.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { useKindText, useRulesText } from '../fenceTexts.ts';

export function useFenceColumns(choices: DeviceChoices): readonly Column<Fence>[] {
  const { t } = useTranslation('FenceSetting');
  const zone = useUserZone();
  const kindText = useKindText();
  const rulesText = useRulesText();
  const devicesText = ({ deviceGroups, devices }: Fence) =>
    listText(
      [labelsOf(choices.groups, deviceGroups.map(String)), labelsOf(choices.devices, devices)].filter(
        (text) => text !== '',
      ),
    ) || t('All devices');
  return [
    {
      name: 'name',
      title: t('Name'),
      text: ({ name }) => name,
      render: (fence) => <NameCell fence={fence} />,
      sortable: true,
      minWidth: 120,
    },
    { name: 'kind', title: t('Kind'), text: ({ kind }) => kindText(kind), width: 90 },
    { name: 'rules', title: t('Events'), text: rulesText, minWidth: 125 },
    { name: 'devices', title: t('Devices'), text: devicesText, minWidth: 110 },
    {
      name: 'enabled',
      title: t('Status'),
      text: ({ enabled }) => (enabled ? t('On') : t('Off')),
      width: 80,
      hiddenAtFirst: true,
    },
    {
      name: 'changedBy',
      title: t('Changed by'),
      text: ({ changedBy }) => changedBy,
      width: 120,
      hiddenAtFirst: true,
    },
    {
      name: 'changedAtMs',
      title: t('Changed'),
      text: ({ changedAtMs }) => formatTimestamp(changedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 165,
      hiddenAtFirst: true,
    },
  ];
}

/** In its color, as the map has it; grey while it is off. */
function NameCell({ fence: { name, color, enabled } }: { readonly fence: Fence }) {
  const { t } = useTranslation('FenceSetting');
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
      <Box
        component="span"
        aria-hidden
        sx={{ width: 12, height: 12, borderRadius: '3px', flexShrink: 0, border: 1, borderColor: 'divider' }}
        style={{ backgroundColor: enabled ? color : 'transparent' }}
      />
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {enabled ? name : t('{{name}} (off)', { name })}
      </Box>
    </Box>
  );
}
