import Box from '@mui/material/Box';
import { memo } from 'react';
import type { TrackSummary } from '../../../../shared/protocol/api/tracks/track.ts';
import { severityAccent } from '../../../../shared/ui/events/severityColors.ts';
import type { TimeRange } from '../clock/ranges.ts';
import { shareOf, shownRange } from './sliderScale.ts';

export interface SliderLanesProps {
  readonly view: TimeRange;
  readonly summary: TrackSummary | undefined;
  readonly recorded: readonly TimeRange[];
}

/** Decoration: the lists say the same. From the top: trips, recordings, events. */
export const SliderLanes = memo(function SliderLanes({ view, summary, recorded }: SliderLanesProps) {
  if (summary === undefined) return null;
  return (
    <Box aria-hidden="true" sx={{ position: 'absolute', inset: 0 }}>
      <Lane view={view} ranges={summary.trips} top={4} height={12} color="primary.main" />
      <Lane view={view} ranges={summary.gaps} top={8} height={4} color="text.secondary" isDashed />
      <Lane view={view} ranges={recorded} top={19} height={6} color="success.main" />
      {summary.events.map(({ id, beginAtMs, severity }) => {
        const share = shareOf(view, beginAtMs);
        if (share < 0 || share > 1) return null;
        return (
          <Box
            key={id}
            sx={{ ...EVENT, ...severityAccent(severity, 'backgroundColor') }}
            style={{ left: `${share * 100}%` }}
          />
        );
      })}
    </Box>
  );
});

interface LaneProps {
  readonly view: TimeRange;
  readonly ranges: readonly TimeRange[];
  readonly top: number;
  readonly height: number;
  readonly color: string;
  readonly isDashed?: boolean;
}

function Lane({ view, ranges, top, height, color, isDashed = false }: LaneProps) {
  return (
    <Box sx={{ position: 'absolute', left: 0, right: 0, top, height, color }}>
      {ranges.map((range) => {
        const shown = shownRange(view, range);
        if (shown === undefined) return null;
        const background = isDashed ? DASHES : 'currentColor';
        return (
          <div
            key={range.fromMs}
            style={{
              position: 'absolute',
              height: '100%',
              background,
              left: `${shown.left}%`,
              width: `${shown.width}%`,
            }}
          />
        );
      })}
    </Box>
  );
}

const DASHES = 'repeating-linear-gradient(90deg, currentColor 0 3px, transparent 3px 7px)';
const EVENT = { position: 'absolute', top: 28, width: 4, height: 9, ml: '-2px', borderRadius: 0.5 } as const;
