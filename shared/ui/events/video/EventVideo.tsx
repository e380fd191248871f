import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../i18n/errorText.ts';
import { playerSupport } from '../../../player/engine/support.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import type { EventTypeName } from '../../../protocol/api/eventTypes.ts';
import { Waiting } from '../../Waiting.tsx';
import { EventLiveView } from './EventLiveView.tsx';
import { EventRecording } from './EventRecording.tsx';
import { clipRange, clipStartMs, eventChannels, type VideoMode } from './eventChannels.ts';
import { MissingRecording } from './MissingRecording.tsx';
import { type DeviceVideo, useDeviceVideo } from './useDeviceVideo.ts';
import { usePlayerEngine } from './usePlayerEngine.ts';

export interface EventVideoProps {
  readonly event: EventRow;
  readonly type: EventTypeName | undefined;
  readonly mode: VideoMode;
}

/** Times for an event whose type no longer exists. */
const CLIP = { clipBeforeS: 10, clipAfterS: 20 } as const;

/** The pictures of an event, or of its device now. Another event needs another `key`. */
export function EventVideo({ event, type, mode }: EventVideoProps) {
  const { t } = useTranslation('Events');
  const support = playerSupport();
  const { video, failure, reload } = useDeviceVideo(event.deviceid);
  if (support !== 'ok') {
    return (
      <Alert severity="warning">
        {t("This browser can't show video here. Open the page over HTTPS in an up-to-date browser.")}
      </Alert>
    );
  }
  if (video === undefined && failure !== undefined) {
    const again = (
      <Button color="inherit" size="small" onClick={reload}>
        {t('Try again')}
      </Button>
    );
    return (
      <Alert severity="warning" action={again}>
        {errorText(failure)}
      </Alert>
    );
  }
  if (video === undefined) {
    return (
      <Box sx={BOX}>
        <Waiting />
      </Box>
    );
  }
  return <LoadedVideo event={event} type={type} mode={mode} video={video} />;
}

interface LoadedVideoProps extends EventVideoProps {
  readonly video: DeviceVideo;
}

function LoadedVideo(props: LoadedVideoProps) {
  const { event, type, mode, video } = props;
  const channels = useMemo(
    () => eventChannels(video.info, { event, unitKind: type?.unit, mode }),
    [video, event, type, mode],
  );
  return (
    <>
      <Box sx={BOX}>
        <Pictures {...props} channels={channels} />
      </Box>
      {mode === 'recording' && channels.length > 0 && (
        <MissingRecording video={video} channels={channels} clip={clipRange(event, type ?? CLIP)} />
      )}
    </>
  );
}

interface PicturesProps extends LoadedVideoProps {
  readonly channels: readonly number[];
}

function Pictures({ event, type, mode, video, channels }: PicturesProps) {
  const { t } = useTranslation('Events');
  const engine = usePlayerEngine();
  if (channels.length === 0) return <Box sx={NOTHING}>{t('No camera with a picture')}</Box>;
  if (engine === undefined) return null;
  if (mode !== 'recording')
    return <EventLiveView engine={engine} video={video} channels={channels} opensTalk={mode === 'talk'} />;
  const startMs = clipStartMs(event, (type ?? CLIP).clipBeforeS);
  return <EventRecording engine={engine} video={video} channels={channels} startMs={startMs} />;
}

const BOX = {
  // The grid of live pictures measures itself by these instead of by the window.
  '--video-width': '100cqw',
  '--video-height': '100cqh',
  containerType: 'size',
  position: 'relative',
  height: 320,
  flexShrink: 0,
  overflow: 'hidden',
  borderRadius: 1,
  backgroundColor: '#101214',
  color: '#ffffff',
} as const;
const NOTHING = { display: 'grid', placeItems: 'center', height: '100%', p: 2, fontSize: 14 } as const;
