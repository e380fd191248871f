import Box from '@mui/material/Box';
import { type KeyboardEvent, type PointerEvent, useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { mergedRanges, type TimeRange } from '../clock/ranges.ts';
import { useClock, useClockFrames, useSlowPosition } from '../clock/useClock.ts';
import { SliderLanes } from './SliderLanes.tsx';
import { momentAt, PLOT_LEFT, PLOT_RIGHT, shareOf } from './sliderScale.ts';
import { TimeAxis } from './TimeAxis.tsx';

export interface TrackSliderProps {
  readonly view: TimeRange;
  readonly summary: TrackSummary | undefined;
}

const PAGE_SHARE = 0.05;

/** The span as a line: trips, recordings and events along it, and the clock's moment, which can be dragged. */
export function TrackSlider({ view, summary }: TrackSliderProps) {
  const { t } = useTranslation('GpsPlayback');
  const clock = useClock();
  const zone = useUserZone();
  const track = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const positionMs = useSlowPosition();
  useClockFrames(
    useCallback(
      (atMs: number) => {
        const share = shareOf(view, atMs);
        if (head.current === null) return;
        head.current.style.transform = `translateX(${share * 100}%)`;
        head.current.style.visibility = share >= 0 && share <= 1 ? 'visible' : 'hidden';
      },
      [view],
    ),
  );
  const seekTo = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (width > 0) clock.seek(momentAt(view, (clientX - left) / width));
  };
  // The arrows are the page's keys; the larger steps are those of a slider.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'PageUp' && event.key !== 'PageDown') return;
    event.preventDefault();
    clock.seekBy((event.key === 'PageUp' ? 1 : -1) * (view.toMs - view.fromMs) * PAGE_SHARE);
  };
  return (
    <Box sx={{ position: 'relative', userSelect: 'none', pl: `${PLOT_LEFT}px`, pr: `${PLOT_RIGHT}px` }}>
      <Box
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={t('Position')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(Math.min(Math.max(shareOf(view, positionMs), 0), 1) * 100)}
        aria-valuetext={formatTimestamp(positionMs, zone)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          seekTo(event);
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
        sx={TRACK}
      >
        <SliderLanes view={view} summary={summary} recorded={recordedOf(summary)} />
        <Box ref={head} data-playhead="" sx={HEAD} />
      </Box>
      <TimeAxis view={view} />
    </Box>
  );
}

function recordedOf(summary: TrackSummary | undefined): readonly TimeRange[] {
  return mergedRanges(summary?.recordings.flatMap(({ ranges }) => ranges) ?? []);
}

const TRACK = {
  position: 'relative',
  height: 40,
  overflow: 'hidden',
  cursor: 'pointer',
  touchAction: 'none',
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
  backgroundColor: 'background.default',
} as const;
const HEAD = {
  position: 'absolute',
  inset: 0,
  pointerEvents: 'none',
  '&::before': {
    content: '""',
    position: 'absolute',
    left: -1.5,
    top: 0,
    bottom: 0,
    width: 3,
    backgroundColor: 'text.primary',
  },
} as const;
