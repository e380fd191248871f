import CampaignIcon from '@mui/icons-material/CampaignOutlined';
import ChatIcon from '@mui/icons-material/ChatOutlined';
import LiveIcon from '@mui/icons-material/LiveTvOutlined';
import OpenInNewIcon from '@mui/icons-material/OpenInNewOutlined';
import PlayArrowIcon from '@mui/icons-material/PlayArrow';
import RouteIcon from '@mui/icons-material/RouteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import Tooltip from '@mui/material/Tooltip';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getDeviceDetails } from '../../../api/fleet.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import { Permission } from '../../../protocol/permissions.ts';
import { ChunkBoundary, lazyPart } from '../../chunks.tsx';
import { useRecord } from '../../records/useRecord.ts';
import { useSettled } from '../../records/useSettled.ts';
import { usePermission } from '../../session.ts';
import { gpsPlaybackLink } from '../../tracks/playbackLink.ts';
import { openVideo } from '../../video/openVideo.ts';
import { Waiting } from '../../Waiting.tsx';
import { useEventNames } from '../useEventNames.ts';
import type { VideoMode } from '../video/eventChannels.ts';
import { clipStartMs } from '../video/eventChannels.ts';
import { DriverTextDialog } from './DriverTextDialog.tsx';

// The player weighs more than the rest of the panel.
const EventVideo = lazyPart('EventVideo', async () => (await import('../video/EventVideo.tsx')).EventVideo);

export interface VideoSectionProps {
  readonly event: EventRow;
  /** What is played; undefined for nothing. */
  readonly mode: VideoMode | undefined;
  readonly onMode: (mode: VideoMode | undefined) => void;
}

const SETTLE_MS = 200;

/** The way to the pictures of an event, and to its driver. */
export function VideoSection({ event, mode, onMode }: VideoSectionProps) {
  const { t } = useTranslation('Events');
  const { typeOf } = useEventNames();
  const [isWriting, setWriting] = useState(false);
  const hasLoudspeaker = useHasLoudspeaker(event.deviceid);
  const canTalk = usePermission(Permission.Talk) && hasLoudspeaker;
  const canText = usePermission(Permission.DeviceText) && hasLoudspeaker;
  const type = typeOf(event.type);
  const choice = (value: VideoMode, icon: ReactNode, label: string) => (
    <ToggleButton
      value={value}
      size="small"
      selected={mode === value}
      onChange={() => onMode(mode === value ? undefined : value)}
      sx={CHOICE}
    >
      {icon}
      {label}
    </ToggleButton>
  );
  const blocked = t('The browser blocked the window. Allow pop-ups for this site.');
  const startMs = clipStartMs(event, type?.clipBeforeS ?? 0);
  return (
    <Box component="section" aria-label={t('Video')} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center' }}>
        {choice('recording', <PlayArrowIcon sx={ICON} />, t('Recording'))}
        {choice('live', <LiveIcon sx={ICON} />, t('Live view'))}
        {canTalk && choice('talk', <CampaignIcon sx={ICON} />, t('Talk'))}
        {canText && (
          <Button size="small" variant="outlined" startIcon={<ChatIcon />} onClick={() => setWriting(true)}>
            {t('Text driver')}
          </Button>
        )}
        <Button component="a" size="small" variant="outlined" startIcon={<RouteIcon />} {...momentOf(event)}>
          {t('Track')}
        </Button>
        <Tooltip title={t('Open recording in a new window')}>
          <IconButton
            size="small"
            aria-label={t('Open recording in a new window')}
            onClick={() => void openVideo(event.deviceid, { kind: 'local', startMs }, blocked)}
          >
            <OpenInNewIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      </Box>
      {mode !== undefined && (
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            <EventVideo key={`${event.id} ${mode}`} event={event} type={type} mode={mode} />
          </Suspense>
        </ChunkBoundary>
      )}
      {isWriting && <DriverTextDialog event={event} onClose={() => setWriting(false)} />}
    </Box>
  );
}

/** Whether the device was set up to be talked to, which texts to its driver need too. */
function useHasLoudspeaker(deviceId: string): boolean {
  const settledId = useSettled(deviceId, SETTLE_MS);
  const { value } = useRecord({
    key: ['device-details', settledId],
    load: (signal) => getDeviceDetails(settledId, signal),
  });
  return settledId === deviceId && value?.talkchs.includes('1') === true;
}

const TRACK_AROUND_MS = 30 * 60_000;

/** The way there and on, with the clock at the event. */
function momentOf({ deviceid, beginAtMs }: EventRow) {
  const [fromMs, toMs] = [beginAtMs - TRACK_AROUND_MS, beginAtMs + TRACK_AROUND_MS];
  return gpsPlaybackLink({ deviceId: deviceid, fromMs, toMs, atMs: beginAtMs });
}

const ICON = { fontSize: 18 } as const;
const CHOICE = { py: 0.375, gap: 0.5, textTransform: 'none', color: 'text.primary' } as const;
