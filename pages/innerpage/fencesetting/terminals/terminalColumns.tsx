import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import type { TerminalArea } from '../../../../shared/protocol/api/fences/fences.ts';
import type { TerminalAreaState } from '../../../../shared/protocol/fences/fenceWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { useAreaNoteText, useAreaStateText } from '../fenceTexts.ts';
import { nameOfTerminal } from './terminalRows.ts';

const COLORS: Readonly<Record<TerminalAreaState, 'default' | 'success' | 'warning' | 'error' | 'info'>> = {
  waiting: 'default',
  sent: 'info',
  confirmed: 'success',
  differs: 'warning',
  refused: 'error',
  full: 'error',
  removing: 'default',
};

export function useTerminalColumns(): readonly Column<TerminalArea>[] {
  const { t } = useTranslation('FenceSetting');
  const zone = useUserZone();
  const stateText = useAreaStateText();
  const noteText = useAreaNoteText();
  const notes = ({ note, isOld }: TerminalArea) =>
    [noteText(note), isOld ? t('The geofence was changed since') : ''].filter((text) => text !== '').join(' · ');
  return [
    { name: 'name', title: t('Device'), text: nameOfTerminal, sortable: true, minWidth: 140 },
    {
      name: 'state',
      title: t('Status'),
      text: ({ state }) => stateText(state),
      render: ({ state }) => <Chip size="small" variant="outlined" color={COLORS[state]} label={stateText(state)} />,
      sortable: true,
      width: 120,
    },
    { name: 'note', title: t('Note'), text: notes, minWidth: 140 },
    {
      name: 'online',
      title: t('Online'),
      text: ({ isOnline }) => (isOnline ? t('Yes') : t('No')),
      width: 80,
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
