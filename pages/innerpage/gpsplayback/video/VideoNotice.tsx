import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { FetchButton } from '../../../../shared/ui/sync/FetchButton.tsx';
import { openVideo } from '../../../../shared/ui/video/openVideo.ts';
import { useClock } from '../clock/useClock.ts';
import type { useDeviceRecordings } from './useDeviceRecordings.ts';
import type { VideoState } from './videoState.ts';

export interface VideoNoticeProps {
  readonly state: Exclude<VideoState, 'recorded'>;
  readonly device: ReturnType<typeof useDeviceRecordings>;
  readonly deviceId: string;
  readonly isOnline: boolean;
  readonly channel: number;
}

const REMOTE_SECONDS = 300;

/** Over the pictures, where the server has none of the clock's moment. */
export function VideoNotice({ state, device, deviceId, isOnline, channel }: VideoNoticeProps) {
  const { t } = useTranslation('GpsPlayback');
  const clock = useClock();
  const play = () => {
    clock.pause();
    const startMs = clock.state.positionMs;
    const blocked = t('The browser blocked the window. Allow pop-ups for this site.');
    void openVideo(deviceId, { kind: 'remote', startMs, durationSeconds: REMOTE_SECONDS, channel }, blocked);
  };
  return (
    <Box data-video={state} sx={OVER}>
      {state === 'none' && <span>{t('Not recorded')}</span>}
      {state === 'device' && (
        <>
          <span>{t('On the device')}</span>
          <Button size="small" variant="outlined" color="inherit" disabled={!isOnline} onClick={play}>
            {t('Play from device')}
          </Button>
        </>
      )}
      {state === 'unknown' && (
        <>
          <span>{t('Not recorded on the server')}</span>
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            loading={device.isAsking}
            disabled={!isOnline}
            onClick={() => void device.ask(clock.state.positionMs)}
          >
            {t('Look on the device')}
          </Button>
          {!isOnline && <Box sx={{ fontSize: 12.5 }}>{t('The device is offline.')}</Box>}
        </>
      )}
      {state !== 'none' && (
        <FetchButton label={t('Fetch from device')} draftOf={() => aroundMoment(deviceId, clock.state.positionMs)} />
      )}
      {device.failure !== undefined && <Box sx={{ fontSize: 12.5 }}>{errorText(device.failure)}</Box>}
    </Box>
  );
}

const AROUND_MS = 5 * 60_000;

/** All channels from shortly before the clock's moment to shortly after it. */
function aroundMoment(deviceid: string, atMs: number) {
  return { deviceid, fromMs: Math.floor(atMs) - AROUND_MS, toMs: Math.floor(atMs) + AROUND_MS };
}

const OVER = {
  position: 'absolute',
  inset: 0,
  zIndex: 2,
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 1,
  p: 2,
  textAlign: 'center',
  fontSize: 14,
  color: '#ffffff',
  backgroundColor: '#101214',
  '& .Mui-disabled': { color: '#a7b1bc !important', borderColor: '#a7b1bc !important' },
} as const;
