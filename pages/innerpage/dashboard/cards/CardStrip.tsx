import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DashboardFigures } from '../../../../shared/protocol/api/fleet.ts';
import type { FleetCounts } from '../../../../shared/protocol/api/liveUpdates.ts';
import type { MarkerState } from '../../../../shared/ui/map/markerState.ts';
import { StateIcon } from '../../../../shared/ui/map/StateIcon.tsx';
import { percentText } from '../figures/figureTexts.ts';
import { CARDS, type Card } from '../fleetFilter.ts';
import { useStateText } from '../useStateText.ts';

export interface CardStripProps {
  readonly counts: FleetCounts;
  readonly isKnown: boolean;
  readonly figures: DashboardFigures | undefined;
  readonly chosen: Card;
  readonly onChoose: (card: Card) => void;
  readonly onFigures: () => void;
}

const MARKER_OF_CARD: Partial<Record<Card, MarkerState>> = {
  moving: 'moving',
  parked: 'parked',
  offline: 'offline',
  alarm: 'alarm',
  never: 'never',
};

/** The fleet in numbers. Each card leads to what it counts, and one that is chosen back to everything. */
export function CardStrip({ counts, isKnown, figures, chosen, onChoose, onFigures }: CardStripProps) {
  const { t } = useTranslation('Dashboard');
  const { ofCard } = useStateText();
  const events = figures?.events.reduce((sum, { count }) => sum + count, 0);
  return (
    <Box component="section" aria-label={t('Fleet summary')} sx={STRIP}>
      {CARDS.map((card) => (
        <NumberCard
          key={card}
          id={card}
          label={ofCard(card)}
          value={isKnown ? String(counts[card]) : '–'}
          marker={MARKER_OF_CARD[card]}
          isPressed={chosen === card}
          isLoud={card === 'alarm' && counts.alarm > 0}
          onPress={() => onChoose(chosen === card ? 'total' : card)}
        />
      ))}
      <NumberCard
        id="rate-day"
        label={t('Online rate, 24 h')}
        value={percentText(figures?.onlineDay.rate)}
        onPress={onFigures}
      />
      <NumberCard
        id="rate-month"
        label={t('Online rate, 30 days')}
        value={percentText(figures?.onlineMonth.rate)}
        onPress={onFigures}
      />
      <NumberCard
        id="events"
        label={t('Events, 24 h')}
        value={events === undefined ? '–' : String(events)}
        onPress={onFigures}
      />
    </Box>
  );
}

interface NumberCardProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly marker?: MarkerState | undefined;
  /** Left out: no switch, but a way to somewhere else. */
  readonly isPressed?: boolean | undefined;
  readonly isLoud?: boolean;
  readonly onPress: () => void;
}

function NumberCard({ id, label, value, marker, isPressed, isLoud = false, onPress }: NumberCardProps): ReactNode {
  return (
    <ButtonBase data-card={id} aria-pressed={isPressed} onClick={onPress} sx={isPressed === true ? PRESSED : CARD}>
      <Box component="span" sx={{ ...VALUE, ...(isLoud ? { color: 'error.main' } : {}) }}>
        {value}
      </Box>
      <Box component="span" sx={LABEL}>
        {marker !== undefined && <StateIcon state={marker} size={14} />}
        {label}
      </Box>
    </ButtonBase>
  );
}

const STRIP = {
  display: 'grid',
  gridAutoFlow: 'column',
  gridAutoColumns: 'minmax(max-content, 1fr)',
  gap: { xs: 0.5, xxl: 0.75 },
  px: { xs: 0.5, sm: 1 },
  py: { xs: 0.5, sm: 1 },
  overflowX: 'auto',
  flexShrink: 0,
  scrollbarWidth: 'thin',
} as const;
const CARD = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  justifyContent: 'center',
  px: { xs: 0.75, sm: 1 },
  py: { xs: 0.25, sm: 0.5 },
  minHeight: { xs: 46, sm: 58 },
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
  backgroundColor: 'background.paper',
  '&:hover': { borderColor: 'primary.main' },
} as const;
const PRESSED = {
  ...CARD,
  borderColor: 'primary.main',
  boxShadow: 'inset 0 -3px 0 var(--mui-palette-primary-main)',
} as const;
const VALUE = { fontSize: 21, fontWeight: 680, lineHeight: 1.2, fontVariantNumeric: 'tabular-nums' } as const;
const LABEL = {
  display: 'flex',
  alignItems: 'center',
  gap: 0.5,
  fontSize: 12.5,
  color: 'text.secondary',
  whiteSpace: 'nowrap',
} as const;
