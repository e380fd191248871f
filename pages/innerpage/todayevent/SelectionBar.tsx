import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { ActButtons } from '../../../shared/ui/events/detail/ActButtons.tsx';
import type { EventActs, OfferedAct } from '../../../shared/ui/events/useEventActs.tsx';

export interface SelectionBarProps {
  readonly selected: readonly EventRow[];
  readonly acts: EventActs;
  readonly onClear: () => void;
}

const OFFERED: readonly OfferedAct[] = ['acknowledge', 'assign', 'note', 'close', 'false-alarm'];

/** What can be done to the selected events at once. */
export function SelectionBar({ selected, acts, onClear }: SelectionBarProps) {
  const { t } = useTranslation('TodayEvent');
  return (
    <Box component="section" aria-label={t('Selected events')} sx={BAR}>
      <Box component="span" role="status" sx={{ fontWeight: 650 }}>
        {t('Selected: {{number}}', { number: selected.length })}
      </Box>
      <ActButtons events={selected} acts={acts} offered={OFFERED} />
      <Button size="small" onClick={onClear} sx={{ ml: 'auto' }}>
        {t('Clear selection')}
      </Button>
    </Box>
  );
}

const BAR = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  px: 1.5,
  py: 0.75,
  fontSize: 14,
  borderBottom: 1,
  borderColor: 'divider',
  backgroundColor: 'background.default',
} as const;
