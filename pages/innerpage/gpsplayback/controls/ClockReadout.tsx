import Box from '@mui/material/Box';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackClock } from '../../../../shared/protocol/api/tracks/track.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { MAX_VIDEO_SPEED } from '../clock/clockState.ts';
import { useAtClock, useClockFrames, useClockState } from '../clock/useClock.ts';
import { durationText } from '../lists/durationText.ts';
import { shownOffsetMs } from '../tracks/loadedTrack.ts';

export interface ClockReadoutProps {
  /** Clock of the chosen device. */
  readonly deviceClock: TrackClock;
  readonly hasVideo: boolean;
}

/** The clock's moment, and what the reader has to know of the clocks behind it. */
export function ClockReadout({ deviceClock, hasVideo }: ClockReadoutProps) {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const { isPlaying, speed } = useClockState();
  const text = useRef<HTMLSpanElement>(null);
  useClockFrames(
    useCallback(
      (atMs: number) => {
        const now = formatTimestamp(atMs, zone);
        if (text.current !== null && text.current.textContent !== now) text.current.textContent = now;
      },
      [zone],
    ),
  );
  const offsetMs = useAtClock(useCallback((atMs: number) => shownOffsetMs(deviceClock, atMs), [deviceClock]));
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1.5, fontSize: 13 }}>
      <Box component="span" ref={text} data-clock="" sx={{ fontWeight: 650, fontVariantNumeric: 'tabular-nums' }} />
      {offsetMs !== undefined && (
        <Box component="span" data-offset={offsetMs} sx={{ color: 'warning.main' }}>
          {offsetMs > 0
            ? t('Device clock {{duration}} behind, corrected', { duration: durationText(offsetMs) })
            : t('Device clock {{duration}} ahead, corrected', { duration: durationText(-offsetMs) })}
        </Box>
      )}
      {hasVideo && isPlaying && speed > MAX_VIDEO_SPEED && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {t('Video plays at up to {{speed}}×', { speed: MAX_VIDEO_SPEED })}
        </Box>
      )}
    </Box>
  );
}
