import Box from '@mui/material/Box';
import { syncPlaceText } from '../../../../shared/i18n/syncText.ts';
import { SYNC_PLACES } from '../../../../shared/protocol/sync/syncWords.ts';
import { PLACE_LOOKS } from './placeLooks.ts';

export function PlaceLegend() {
  return (
    <Box
      component="ul"
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, m: 0, p: 0, listStyle: 'none' }}
    >
      {SYNC_PLACES.map((place) => (
        <Box component="li" key={place} sx={{ display: 'flex', alignItems: 'center', gap: 0.75, fontSize: 13 }}>
          <Box aria-hidden="true" sx={swatchOf(place)} />
          {syncPlaceText(place)}
        </Box>
      ))}
    </Box>
  );
}

function swatchOf(place: keyof typeof PLACE_LOOKS) {
  const { background, border } = PLACE_LOOKS[place];
  return { width: 18, height: 12, borderRadius: 0.5, background, border: `1px solid ${border}` } as const;
}
