import CenterFocusStrongIcon from '@mui/icons-material/CenterFocusStrong';
import MyLocationIcon from '@mui/icons-material/MyLocation';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { DARK_SEVERITIES, LIGHT_SEVERITIES } from '../../../../shared/ui/events/severityColors.ts';
import { useShownFences } from '../../../../shared/ui/map/fences/useShownFences.ts';
import { MapNotice } from '../../../../shared/ui/map/MapNotice.tsx';
import type { MapMark } from '../../../../shared/ui/map/tracks/tracksLayer.ts';
import type { TracksMap } from '../../../../shared/ui/map/tracks/tracksMap.ts';
import { useTracksMap } from '../../../../shared/ui/map/tracks/useTracksMap.ts';
import type { LoadedTracks } from '../tracks/loadedTrack.ts';
import type { Vehicles } from '../tracks/vehicles.ts';
import { drawnMarks, drawnTracks, type ShownDevice } from './mapContent.ts';
import { SpeedLegend } from './SpeedLegend.tsx';
import { useVehiclesOnMap } from './useVehiclesOnMap.ts';

export interface PlaybackMapProps {
  readonly devices: readonly ShownDevice[];
  readonly chosenId: string;
  readonly tracks: LoadedTracks;
  readonly summary: TrackSummary | undefined;
  readonly vehicles: Vehicles;
  /** The map looks at all lines when it is another and they are there. */
  readonly fitKey: string;
  readonly onMark: (mark: MapMark) => void;
  readonly onZoom: (zoom: number) => void;
}

/** The lines, what happened along them, and the vehicles where the clock has them. The lists beside it say the same. */
export function PlaybackMap({
  devices,
  chosenId,
  tracks,
  summary,
  vehicles,
  fitKey,
  onMark,
  onZoom,
}: PlaybackMapProps) {
  const host = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(false);
  const fences = useShownFences();
  const zone = useUserZone();
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  const content = useMemo(() => {
    const colors = isDark ? DARK_SEVERITIES : LIGHT_SEVERITIES;
    return {
      fences,
      tracks: drawnTracks(devices, tracks, chosenId),
      marks: drawnMarks(summary, { colorOf: (severity) => colors[severity].accent, zone }),
    };
  }, [fences, devices, tracks, chosenId, summary, isDark, zone]);
  const state = useTracksMap(host, { content, onMark, onMoved: () => setFollowing(false), onZoom });
  const map = state.kind === 'ready' ? state.map : undefined;
  useEffect(() => map?.setFollowing(isFollowing), [map, isFollowing]);
  useFit(map, fitKey, devices.length > 0 && devices.every(({ id }) => tracks.get(id)?.path !== undefined));
  useVehiclesOnMap({ map, host, devices, chosenId, vehicles, knownBy: tracks });
  return (
    <Box
      sx={{
        position: 'relative',
        width: '100%',
        height: '100%',
        minHeight: 0,
        display: 'flex',
        flexDirection: 'column',
      }}
    >
      <Box sx={{ position: 'relative', flex: 1, minHeight: 0 }}>
        {/* The map's own styles make it relative: the place is its parent's to say. */}
        <Box
          ref={host}
          data-map={state.kind}
          data-lines={content.tracks.length}
          data-marks={content.marks.length}
          data-fences={fences.length}
          sx={{ width: '100%', height: '100%' }}
        />
      </Box>
      <MapNotice state={state} />
      {map !== undefined && <MapButtons map={map} isFollowing={isFollowing} onFollow={setFollowing} />}
      <SpeedLegend />
    </Box>
  );
}

/** Fits once for each key, when all lines are there. */
function useFit(map: TracksMap | undefined, key: string, isComplete: boolean): void {
  const fitted = useRef<{ readonly map: TracksMap; readonly key: string }>(undefined);
  useEffect(() => {
    if (map === undefined || !isComplete) return;
    if (fitted.current?.map === map && fitted.current.key === key) return;
    if (map.fit()) fitted.current = { map, key };
  }, [map, key, isComplete]);
}

interface MapButtonsProps {
  readonly map: TracksMap;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

function MapButtons({ map, isFollowing, onFollow }: MapButtonsProps) {
  const { t } = useTranslation('GpsPlayback');
  return (
    <Box sx={BUTTONS}>
      <Button variant="contained" color="inherit" size="small" onClick={() => map.fit()} sx={BUTTON}>
        <CenterFocusStrongIcon fontSize="small" />
        {t('Show all')}
      </Button>
      <ToggleButton
        value="follow"
        size="small"
        selected={isFollowing}
        onChange={() => onFollow(!isFollowing)}
        sx={BUTTON}
      >
        <MyLocationIcon fontSize="small" />
        {t('Follow')}
      </ToggleButton>
    </Box>
  );
}

const BUTTONS = { position: 'absolute', top: 82, right: 10, zIndex: 1, display: 'grid', gap: 0.75 } as const;
const BUTTON = {
  justifyContent: 'flex-start',
  gap: 0.75,
  px: 1,
  py: 0.25,
  fontSize: 13,
  textTransform: 'none',
  backgroundColor: 'background.paper',
  color: 'text.primary',
  border: 1,
  borderColor: 'divider',
  '&:hover': { backgroundColor: 'background.default' },
  '&.Mui-selected, &.Mui-selected:hover': {
    backgroundColor: 'primary.main',
    color: 'primary.contrastText',
  },
} as const;
