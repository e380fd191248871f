import CenterFocusStrongIcon from '@mui/icons-material/CenterFocusStrong';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useShownFences } from '../../../../shared/ui/map/fences/useShownFences.ts';
import { MapNotice } from '../../../../shared/ui/map/MapNotice.tsx';
import { useFleetMap } from '../../../../shared/ui/map/useFleetMap.ts';
import { NARROW } from '../../../../shared/ui/useIsNarrow.ts';
import { visuallyHidden } from '../../../../shared/ui/visuallyHidden.ts';
import type { FleetChoice } from '../useFleetFilter.ts';
import { MapLegend } from './MapLegend.tsx';

export interface MapViewProps {
  readonly filter: FleetChoice;
  /** What lies over the map's lower part on a narrow page. */
  readonly panel: RefObject<HTMLElement | null>;
  readonly onTogether: (deviceIds: readonly string[]) => void;
}

export function MapView({ filter, panel, onTogether }: MapViewProps) {
  const { t } = useTranslation('Dashboard');
  const host = useRef<HTMLDivElement>(null);
  const state = useFleetMap(host, {
    devices: filter.shown,
    selected: filter.selected,
    isFollowing: filter.isFollowing,
    fences: useShownFences(),
    viewKey: filter.filter,
    panel,
    onSelect: filter.select,
    onTogether,
    onMoved: () => filter.setFollowing(false),
  });
  const ready = state.kind === 'ready' ? state : undefined;
  return (
    <>
      <Box sx={{ position: 'absolute', inset: 0 }}>
        {/* The map's own styles make it relative: the place is its parent's to say. */}
        <Box
          ref={host}
          data-map={state.kind}
          data-background={ready?.background}
          sx={{ width: '100%', height: '100%' }}
        />
      </Box>
      <MapNotice state={state} />
      {ready !== undefined && (
        <Button
          variant="contained"
          color="inherit"
          size="small"
          disabled={filter.shown.every(({ lat }) => lat === null)}
          onClick={() => ready.map.fit()}
          sx={FIT}
        >
          <CenterFocusStrongIcon fontSize="small" />
          <Box component="span" sx={WORDS}>
            {t('Show all')}
          </Box>
        </Button>
      )}
      <MapLegend />
    </>
  );
}

// A phone's map has no room for more than the sign.
const WORDS = { display: 'inline', ml: 1, [`@media ${NARROW}`]: visuallyHidden } as const;
const FIT = {
  position: 'absolute',
  top: 82,
  right: 10,
  zIndex: 1,
  backgroundColor: 'background.paper',
  color: 'text.primary',
  border: 1,
  borderColor: 'divider',
  minWidth: 0,
  px: { xs: 0.5, sm: 1.25 },
  '&:hover': { backgroundColor: 'background.default' },
  // Nothing of the map shines through a button that is off.
  '&.Mui-disabled': { backgroundColor: 'background.paper', color: 'text.disabled' },
} as const;
