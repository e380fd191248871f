import CenterFocusStrongIcon from '@mui/icons-material/CenterFocusStrong';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveFleet } from '../../../../shared/live/liveFleet.ts';
import type { FleetChoice } from '../useFleetFilter.ts';
import { MapLegend } from './MapLegend.tsx';
import { useFleetMap } from './useFleetMap.ts';
import './map.css';

export interface MapViewProps {
  readonly fleet: LiveFleet;
  readonly filter: FleetChoice;
}

export function MapView({ fleet, filter }: MapViewProps) {
  const { t } = useTranslation('Dashboard');
  const host = useRef<HTMLDivElement>(null);
  const state = useFleetMap(host, fleet, filter);
  const map = state.kind === 'ready' ? state.map : undefined;
  return (
    <>
      <Box ref={host} data-map={state.kind} sx={{ position: 'absolute', inset: 0 }} />
      {state.kind === 'failed' && (
        <Alert severity="warning" sx={NOTICE}>
          {t('This browser cannot show the map: it needs WebGL. The list has every device all the same.')}
        </Alert>
      )}
      {state.kind === 'ready' && state.isStandIn && (
        <Alert severity="info" sx={NOTICE}>
          {t('The map server cannot be reached. The outlines of the world stand in for it.')}
        </Alert>
      )}
      {map !== undefined && (
        <Button
          variant="contained"
          color="inherit"
          size="small"
          startIcon={<CenterFocusStrongIcon />}
          onClick={() => map.fit()}
          sx={FIT}
        >
          {t('Show all')}
        </Button>
      )}
      <MapLegend />
    </>
  );
}

const NOTICE = { position: 'absolute', top: 12, left: 12, right: 64, maxWidth: 420, zIndex: 2 } as const;
const FIT = {
  position: 'absolute',
  top: 82,
  right: 10,
  zIndex: 1,
  backgroundColor: 'background.paper',
  color: 'text.primary',
  border: 1,
  borderColor: 'divider',
  '&:hover': { backgroundColor: 'background.default' },
} as const;
