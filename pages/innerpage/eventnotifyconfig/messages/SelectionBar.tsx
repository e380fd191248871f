import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { MessageActions } from './MessageActions.tsx';

export interface SelectionBarProps {
  readonly selected: readonly NotifyMessage[];
  readonly onDone: () => void;
  readonly onClear: () => void;
}

/** What can be done to the selected messages at once. */
export function SelectionBar({ selected, onDone, onClear }: SelectionBarProps) {
  const { t } = useTranslation('NotifyConfig');
  return (
    <Box component="section" aria-label={t('Selected messages')} sx={BAR}>
      <Box component="span" role="status" sx={{ fontWeight: 650 }}>
        {t('Selected: {{number}}', { number: selected.length })}
      </Box>
      <MessageActions messages={selected} onDone={onDone} />
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
  borderRadius: 1,
  backgroundColor: 'action.selected',
} as const;
