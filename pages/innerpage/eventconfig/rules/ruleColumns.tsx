import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { ActionIcons, useActionsOf } from './actionsOf.tsx';
import { nearestOrigin, ownCount, type RuleRow } from './ruleRows.ts';
import { useLimitText } from './useLimitText.ts';

export function useRuleColumns(): readonly Column<RuleRow>[] {
  const { t } = useTranslation(['EventConfig', 'EventWords']);
  const [limitText, actionsOf] = [useLimitText(), useActionsOf()];
  const nearestText = (row: RuleRow) => {
    const { kind, name } = nearestOrigin(row);
    if (kind === 'default') return '';
    if (kind === 'group') return name || t('Another group');
    return t('Installation');
  };
  return [
    {
      name: 'name',
      title: t('Event type'),
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
      name: 'enabled',
      title: t('Status'),
      text: ({ values }) => (values.enabled ? t('On') : t('Off')),
      render: ({ values }) => <StateChip isOn={values.enabled} />,
      sortable: true,
      width: 90,
    },
    {
      name: 'severity',
      title: t('Severity'),
      text: ({ values }) => severityText(values.severity),
      render: ({ values }) => <SeverityChip severity={values.severity} />,
      sortable: true,
      width: 110,
    },
    { name: 'threshold', title: t('Threshold'), text: limitText, width: 190 },
    {
      name: 'actions',
      title: t('Event actions'),
      text: (row) => listText(actionsOf(row).map(({ name }) => name)),
      render: (row) => <ActionIcons actions={actionsOf(row)} />,
      width: 175,
    },
    {
      name: 'origin',
      title: t('Origin'),
      text: (row) => (ownCount(row) === 0 ? nearestText(row) : t('Set here')),
      render: (row) =>
        ownCount(row) === 0 ? (
          nearestText(row)
        ) : (
          <Chip size="small" color="primary" variant="outlined" label={t('Set here')} />
        ),
      sortable: true,
      width: 125,
    },
  ];
}

function NameCell({ row: { name, icon, color, values } }: { readonly row: RuleRow }) {
  return (
    <Box sx={NAME}>
      <EventIcon type={{ icon, color, severity: values.severity }} />
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {name}
      </Box>
    </Box>
  );
}

const NAME = { display: 'flex', alignItems: 'center', gap: 1, minWidth: 0, height: '100%' } as const;

function StateChip({ isOn }: { readonly isOn: boolean }) {
  const { t } = useTranslation('EventConfig');
  return (
    <Chip size="small" variant="outlined" color={isOn ? 'success' : 'default'} label={isOn ? t('On') : t('Off')} />
  );
}
