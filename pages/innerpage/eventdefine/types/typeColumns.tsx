import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { useSoundName } from '../names.ts';
import { StateText } from '../StateText.tsx';
import type { TypeRow } from './typeRows.ts';

export function useTypeColumns(): readonly Column<TypeRow>[] {
  const { t } = useTranslation(['EventDefine', 'EventWords']);
  const soundName = useSoundName();
  return [
    {
      name: 'name',
      title: t('Name'),
      text: ({ name }) => name,
      render: (row) => <NameCell row={row} />,
      sortable: true,
      minWidth: 200,
    },
    {
      name: 'category',
      title: t('Category'),
      text: ({ category }) => categoryText(category),
      sortable: true,
      width: 145,
    },
    {
      name: 'severity',
      title: t('Severity'),
      text: ({ severity }) => severityText(severity),
      render: ({ severity }) => <SeverityChip severity={severity} />,
      sortable: true,
      width: 110,
    },
    { name: 'sound', title: t('Sound'), text: ({ sound }) => soundName(sound), width: 95 },
    {
      name: 'needsAcknowledgment',
      title: t('Acknowledgment'),
      text: (row) => (row.needsAcknowledgment ? t('Needed') : t('Not needed')),
      sortable: true,
      width: 165,
    },
    {
      name: 'clip',
      title: t('Clip'),
      text: ({ clipBeforeS, clipAfterS }) =>
        t('{{before}} s before, {{after}} s after', { before: clipBeforeS, after: clipAfterS }),
      width: 190,
    },
    {
      name: 'snapshotChannels',
      title: t('Snapshots'),
      text: ({ snapshotChannels }) => listText(snapshotChannels.map((channel) => `ch ${channel}`)),
      hiddenAtFirst: true,
      width: 140,
    },
    {
      name: 'enabled',
      title: t('Status'),
      text: ({ enabled }) => (enabled ? t('On') : t('Off')),
      render: ({ enabled }) => <StateText isOn={enabled} />,
      sortable: true,
      width: 90,
    },
    {
      name: 'isBuiltIn',
      title: t('Kind'),
      text: ({ isBuiltIn }) => (isBuiltIn ? t('Built-in') : t('Custom')),
      sortable: true,
      width: 100,
    },
  ];
}

function NameCell({ row }: { readonly row: TypeRow }) {
  return (
    <Box sx={NAME}>
      <EventIcon type={row} />
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {row.name}
      </Box>
    </Box>
  );
}

const NAME = { display: 'flex', alignItems: 'center', gap: 1, minWidth: 0, height: '100%' } as const;
