import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { DARK_SPEEDS, LIGHT_SPEEDS, SPEED_BANDS } from '../../../../shared/ui/map/tracks/speedColors.ts';

const UNIT = 'km/h';

/** Which color is which speed. */
export function SpeedLegend() {
  const { t } = useTranslation('GpsPlayback');
  return (
    <Box component="ul" aria-label={t('Speed (km/h)')} sx={LEGEND}>
      <Box component="li" aria-hidden="true" sx={{ color: 'text.secondary' }}>
        {UNIT}
      </Box>
      {SPEED_BANDS.map((lowest, at) => (
        <Box component="li" key={lowest} sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <Box component="span" sx={swatch(at)} />
          {bandText(lowest, SPEED_BANDS[at + 1])}
        </Box>
      ))}
    </Box>
  );
}

function bandText(lowest: number, next: number | undefined): string {
  return next === undefined ? `${lowest}+` : `${lowest}–${next}`;
}

function swatch(band: number) {
  return {
    width: 14,
    height: 4,
    borderRadius: 1,
    backgroundColor: LIGHT_SPEEDS[band],
    '@media (prefers-color-scheme: dark)': { backgroundColor: DARK_SPEEDS[band] },
  } as const;
}

/** Below a narrow map, of which it would hide too much. */
const LEGEND = {
  position: { sm: 'absolute' },
  left: 10,
  bottom: 38,
  zIndex: 1,
  m: 0,
  px: 0.75,
  py: 0.5,
  display: 'flex',
  flexDirection: { xs: 'row', sm: 'column' },
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  columnGap: 0.75,
  listStyle: 'none',
  fontSize: 11,
  lineHeight: 1.4,
  fontVariantNumeric: 'tabular-nums',
  borderRadius: 1,
  border: { sm: 1 },
  borderColor: 'divider',
  backgroundColor: { sm: 'background.paper' },
  pointerEvents: 'none',
} as const;
