import Box from '@mui/material/Box';
import { memo } from 'react';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import type { TimeRange } from '../clock/ranges.ts';
import { axisTicks } from './axisTicks.ts';
import { shareOf } from './sliderScale.ts';

/** Half a label, of a computer's and of a phone's width. */
const EDGE_SHARE = 0.03;
const NARROW_EDGE_SHARE = 0.06;

/** Decoration: the position says its time. */
export const TimeAxis = memo(function TimeAxis({ view }: { readonly view: TimeRange }) {
  const zone = useUserZone();
  const isNarrow = useIsNarrow();
  const [most, edgeShare] = isNarrow ? [5, NARROW_EDGE_SHARE] : [12, EDGE_SHARE];
  return (
    <Box aria-hidden="true" sx={AXIS}>
      {axisTicks(view, zone, most).map(({ atMs, label }) => {
        const share = shareOf(view, atMs);
        // One that would stand over the edge is left out.
        if (share < edgeShare || share > 1 - edgeShare) return null;
        return (
          <span key={atMs} style={{ position: 'absolute', left: `${share * 100}%`, transform: 'translateX(-50%)' }}>
            {label}
          </span>
        );
      })}
    </Box>
  );
});

const AXIS = {
  position: 'relative',
  height: 16,
  overflow: 'hidden',
  fontSize: 11,
  lineHeight: '16px',
  color: 'text.secondary',
  fontVariantNumeric: 'tabular-nums',
} as const;
