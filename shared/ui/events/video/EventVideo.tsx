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
import { clipStartMs, eventChannels, type VideoMode } from './eventChannels.ts';
import { type DeviceVideo, useDeviceVideo } from './useDeviceVideo.ts';
import { usePlayerEngine } from './usePlayerEngine.ts';

export interface EventVideoProps {
  readonly event: EventRow;
  readonly type: EventTypeName | undefined;
  readonly mode: VideoMode;
}

/** Of a type that is not there any more. */
const CLIP_BEFORE_S = 10;

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
  return <Box sx={BOX}>{video === undefined ? <Waiting /> : <Pictures {...{ event, type, mode, video }} />}</Box>;
}

interface PicturesProps extends EventVideoProps {
  readonly video: DeviceVideo;
}

function Pictures({ event, type, mode, video }: PicturesProps) {
  const { t } = useTranslation('Events');
  const engine = usePlayerEngine();
  const channels = useMemo(
    () => eventChannels(video.info, { event, unitKind: type?.unit, mode }),
    [video, event, type, mode],
  );
  if (channels.length === 0) return <Box sx={NOTHING}>{t('No camera with a picture')}</Box>;
  if (engine === undefined) return null;
  if (mode !== 'recording')
    return <EventLiveView engine={engine} video={video} channels={channels} opensTalk={mode === 'talk'} />;
  const startMs = clipStartMs(event, type?.clipBeforeS ?? CLIP_BEFORE_S);
  return <EventRecording engine={engine} video={video} channels={channels} startMs={startMs} />;
}

const BOX = {
  // The grid of live pictures measures itself by these as by a window.
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
