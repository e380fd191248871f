import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import { messageStateText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyCounts } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { MESSAGE_STATES, type MessageState } from '../../../../shared/protocol/notify/notifyWords.ts';

export interface MessageCountersProps {
  /** Undefined until they are loaded. */
  readonly counts: NotifyCounts | undefined;
  /** '' for all. */
  readonly state: MessageState | '';
  /** Another click takes the filter away. */
  readonly onState: (state: MessageState | '') => void;
}

const NUMBER = new Intl.NumberFormat('en-US');

/** How many messages wait now, and the outcome of those of the last day; each leads to its messages. */
export function MessageCounters({ counts, state, onState }: MessageCountersProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const labelOf = (each: MessageState) =>
    each === 'waiting' ? messageStateText(each) : t('{{state}} in 24 h', { state: messageStateText(each) });
  return (
    <Box role="group" aria-label={t('Messages')} sx={ROW}>
      {MESSAGE_STATES.map((each) => (
        <ButtonBase
          key={each}
          aria-pressed={state === each}
          onClick={() => onState(state === each ? '' : each)}
          sx={{ ...COUNTER, ...(state === each && { borderColor: 'primary.main' }) }}
        >
          <Box component="span" sx={{ fontSize: 20, fontWeight: 650, fontVariantNumeric: 'tabular-nums' }}>
            {counts === undefined ? '–' : NUMBER.format(counts[each])}
          </Box>
          <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {labelOf(each)}
          </Box>
        </ButtonBase>
      ))}
    </Box>
  );
}

const ROW = {
  display: 'grid',
  gap: 1,
  mb: 0.75,
  flexShrink: 0,
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 180px))' },
} as const;
const COUNTER = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  textAlign: 'left',
  px: 1.5,
  py: 0.75,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  backgroundColor: 'background.paper',
  '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 1 },
} as const;
