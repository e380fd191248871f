import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { MARKER_STATES } from '../../../../shared/ui/map/markerState.ts';
import { StateIcon } from '../../../../shared/ui/map/StateIcon.tsx';
import { useStateText } from '../useStateText.ts';

/** Legend. Those that were never seen have no place on the map. */
export function MapLegend() {
  const { t } = useTranslation('Dashboard');
  const { ofCard } = useStateText();
  return (
    <Box component="ul" aria-label={t('Legend')} sx={LEGEND}>
      {MARKER_STATES.filter((state) => state !== 'never').map((state) => (
        <Box component="li" key={state} sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <StateIcon state={state} size={14} />
          {ofCard(state)}
        </Box>
      ))}
    </Box>
  );
}

const LEGEND = {
  position: 'absolute',
  right: 10,
  bottom: 44,
  zIndex: 1,
  m: 0,
  px: 1,
  py: 0.5,
  display: 'flex',
  flexDirection: 'column',
  gap: 0.25,
  listStyle: 'none',
  fontSize: 12,
  borderRadius: 1,
  backgroundColor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  pointerEvents: 'none',
} as const;
