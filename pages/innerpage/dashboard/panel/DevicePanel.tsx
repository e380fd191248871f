import CloseIcon from '@mui/icons-material/Close';
import MyLocationIcon from '@mui/icons-material/MyLocation';
import PlayArrowIcon from '@mui/icons-material/PlayArrow';
import RouteIcon from '@mui/icons-material/RouteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import Typography from '@mui/material/Typography';
import { type RefObject, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { markerStateOf } from '../../../../shared/ui/map/markerState.ts';
import { StateIcon } from '../../../../shared/ui/map/StateIcon.tsx';
import { gpsPlaybackLink } from '../../../../shared/ui/tracks/playbackLink.ts';
import { openVideo } from '../../../../shared/ui/video/openVideo.ts';
import { AlarmSection } from '../alarm/AlarmSection.tsx';
import { useStateText } from '../useStateText.ts';
import { ChannelChips } from './ChannelChips.tsx';
import { DeviceFacts } from './DeviceFacts.tsx';
import { PlanNotice } from './PlanNotice.tsx';
import { useDetails } from './useDetails.ts';

// The date picker weighs more than the rest of the panel.
const PlaybackForm = lazyPart('PlaybackForm', async () => (await import('./PlaybackForm.tsx')).PlaybackForm);

export interface DevicePanelProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly device: LiveDevice;
  readonly isFollowing: boolean;
  /** It came in place of what had the focus. */
  readonly takesFocus: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  readonly onClose: () => void;
}

/** The chosen device: how it fares, and the way to its pictures. */
export function DevicePanel({ ref, device, isFollowing, takesFocus, onFollow, onClose }: DevicePanelProps) {
  const { t } = useTranslation('Dashboard');
  const { ofDevice } = useStateText();
  const details = useDetails(device);
  const [showsPlayback, setShowsPlayback] = useState(false);
  useEffect(() => {
    if (takesFocus) ref.current?.focus({ preventScroll: true });
  }, [takesFocus, ref]);
  const blocked = t('The browser blocked the window. Allow pop-ups for this site.');
  return (
    <Box
      component="section"
      ref={ref}
      tabIndex={-1}
      aria-label={device.name || device.id}
      data-panel={device.id}
      sx={PANEL}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box sx={{ mt: 0.5 }}>
          <StateIcon state={markerStateOf(device)} heading={device.heading} size={22} />
        </Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography component="h2" sx={{ fontSize: 16, fontWeight: 650, overflowWrap: 'anywhere' }}>
            {device.name || device.id}
          </Typography>
          <Typography sx={{ fontSize: 13, color: 'text.secondary' }}>{ofDevice(device)}</Typography>
        </Box>
        <IconButton size="small" aria-label={t('Close')} onClick={onClose}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Box>
      {device.inAlarm && <AlarmSection device={device} />}
      <DeviceFacts device={device} />
      {details !== undefined && <PlanNotice details={details} />}
      {details !== undefined && <ChannelChips details={details} isOnline={device.state === 'online'} />}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant="contained"
          size="small"
          startIcon={<PlayArrowIcon />}
          disabled={device.state !== 'online'}
          onClick={() => void openVideo(device.id, { kind: 'live' }, blocked)}
        >
          {t('Live view')}
        </Button>
        <Button
          variant="outlined"
          size="small"
          aria-expanded={showsPlayback}
          onClick={() => setShowsPlayback(!showsPlayback)}
        >
          {t('Recordings')}
        </Button>
        <Button
          component="a"
          variant="outlined"
          size="small"
          startIcon={<RouteIcon />}
          {...gpsPlaybackLink({ deviceId: device.id })}
        >
          {t('Track')}
        </Button>
        <ToggleButton
          value="follow"
          size="small"
          selected={isFollowing}
          disabled={device.lat === null}
          onChange={() => onFollow(!isFollowing)}
          sx={{ py: 0.25, gap: 0.5, textTransform: 'none' }}
        >
          <MyLocationIcon sx={{ fontSize: 17 }} />
          {t('Follow')}
        </ToggleButton>
      </Box>
      {showsPlayback && (
        <ChunkBoundary>
          <Suspense>
            <PlaybackForm
              channels={details?.chn ?? device.chn}
              isOnline={device.state === 'online'}
              onOpen={(target) => void openVideo(device.id, target, blocked)}
            />
          </Suspense>
        </ChunkBoundary>
      )}
    </Box>
  );
}

const PANEL = {
  position: 'absolute',
  zIndex: 3,
  left: { xs: 0, md: 10 },
  right: { xs: 0, md: 'auto' },
  top: { xs: 'auto', md: 10 },
  bottom: { xs: 0, md: 'auto' },
  width: { xs: 'auto', md: 384 },
  maxHeight: { xs: '62%', md: 'calc(100% - 60px)' },
  overflowY: 'auto',
  display: 'flex',
  flexDirection: 'column',
  gap: 1.5,
  p: 1.5,
  borderRadius: { xs: 0, md: 1.5 },
  border: 1,
  borderColor: 'divider',
  // Not quite opaque: Chromium takes the map's canvas for hidden beneath a scrolling opaque panel, and leaves all of it out.
  backgroundColor: 'color-mix(in srgb, var(--mui-palette-background-paper) 99.7%, transparent)',
  boxShadow: '0 4px 18px rgb(0 0 0 / 22%)',
} as const;
