import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { playerSupport } from '../../../../shared/player/engine/support.ts';
import { DEFAULT_MASK, selectChannels } from '../../../../shared/protocol/channels.ts';
import { useDeviceVideo } from '../../../../shared/ui/events/video/useDeviceVideo.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { ClockVideo } from './ClockVideo.tsx';
import type { VideoPanelProps } from './videoPanelProps.ts';
import { shownChannels } from './videoState.ts';

/** What the cameras of the chosen device saw at the clock's moment. Another device needs another `key`. */
export function VideoPanel(props: VideoPanelProps) {
  const { t } = useTranslation('GpsPlayback');
  if (playerSupport() === 'ok') return <LoadedVideo {...props} />;
  return (
    <Alert severity="info">
      {t("This browser can't show video here. Open the page over HTTPS in an up-to-date browser.")}
    </Alert>
  );
}

/** A credential for the video is made only where there is a player for it. */
function LoadedVideo(props: VideoPanelProps) {
  const { t } = useTranslation('GpsPlayback');
  const { video, failure, reload } = useDeviceVideo(props.deviceId);
  const { recordings } = props;
  const channels = useMemo(
    () => (video === undefined ? [] : shownChannels(selectChannels(DEFAULT_MASK, video.info, 'playback'), recordings)),
    [video, recordings],
  );
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
  return (
    <Box sx={BOX}>
      {video === undefined ? <Waiting /> : <ClockVideo video={video} channels={channels} {...props} />}
    </Box>
  );
}

const BOX = {
  // The grid of pictures measures itself by these as by a window.
  '--video-width': '100cqw',
  '--video-height': '100cqh',
  containerType: 'size',
  position: 'relative',
  height: { xs: 220, lg: 260 },
  flexShrink: 0,
  overflow: 'hidden',
  borderRadius: 1,
  backgroundColor: '#101214',
  color: '#ffffff',
} as const;
