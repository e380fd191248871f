import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { placeAt } from '../clock/ranges.ts';
import { useAtClock, useClock } from '../clock/useClock.ts';

export interface ListedMoment {
  readonly key: number;
  /** The moment that a press leads to. */
  readonly atMs: number;
  /** The moment at which it is over; nothing is marked from then until the next one begins. Undefined: it is the current one until then. */
  readonly toMs: number | undefined;
  readonly head: ReactNode;
  readonly details: string;
  /** A line of its own; undefined: none. */
  readonly place?: string | undefined;
}

export interface MomentListProps {
  readonly label: string;
  /** Rising in time. */
  readonly moments: readonly ListedMoment[];
  readonly emptyText: string;
  readonly onPick?: (moment: ListedMoment) => void;
}

/** What happened, in order. The clock marks the present one; a press sets the clock. */
export function MomentList({ label, moments, emptyText, onPick }: MomentListProps) {
  const clock = useClock();
  const scroller = useRef<HTMLDivElement>(null);
  const rowPixels = moments.some(({ place }) => place !== undefined) ? THREE_LINES_PIXELS : ROW_PIXELS;
  const rows = useVirtualizer({
    count: moments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 6,
  });
  const current = useAtClock(useCallback((atMs: number) => presentOf(moments, atMs), [moments]));
  useEffect(() => {
    if (current >= 0) rows.scrollToIndex(current, { align: 'auto' });
  }, [current, rows]);
  if (moments.length === 0) return <Box sx={{ p: 2, color: 'text.secondary', fontSize: 14 }}>{emptyText}</Box>;
  return (
    <Box ref={scroller} sx={SCROLLER}>
      <Box component="ul" aria-label={label} sx={LIST} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const moment = moments[index];
          if (moment === undefined) return null;
          const pick = () => {
            clock.seek(moment.atMs);
            onPick?.(moment);
          };
          return (
            <li key={moment.key} style={{ position: 'absolute', top: start, left: 0, right: 0, height: rowPixels }}>
              <Row moment={moment} isCurrent={index === current} onPick={pick} />
            </li>
          );
        })}
      </Box>
    </Box>
  );
}

function presentOf(moments: readonly ListedMoment[], atMs: number): number {
  const at = placeAt(
    moments.map((moment) => moment.atMs),
    atMs,
  );
  const toMs = moments[at]?.toMs;
  return toMs !== undefined && toMs <= atMs ? -1 : at;
}

interface RowProps {
  readonly moment: ListedMoment;
  readonly isCurrent: boolean;
  readonly onPick: () => void;
}

function Row({ moment, isCurrent, onPick }: RowProps) {
  // Renders again when the language changes.
  useTranslation('GpsPlayback');
  return (
    <Button
      color="inherit"
      fullWidth
      onClick={onPick}
      aria-current={isCurrent ? 'true' : undefined}
      data-moment={moment.key}
      sx={{ ...ROW, backgroundColor: isCurrent ? 'action.selected' : 'transparent' }}
    >
      <Box component="span" sx={LINE}>
        {moment.head}
      </Box>
      <Box component="span" sx={{ ...LINE, ...SMALL }}>
        {moment.details}
      </Box>
      {moment.place !== undefined && (
        <Box component="span" title={moment.place} sx={{ ...LINE, ...SMALL }}>
          {moment.place}
        </Box>
      )}
    </Button>
  );
}

const ROW_PIXELS = 52;
const THREE_LINES_PIXELS = 70;
const SCROLLER = {
  flex: 1,
  minHeight: { xs: 260, lg: 0 },
  height: { xs: 320, lg: 'auto' },
  overflowY: 'auto',
} as const;
const LIST = { position: 'relative', listStyle: 'none', m: 0, p: 0 } as const;
const ROW = {
  height: '100%',
  display: 'block',
  textAlign: 'left',
  px: 1.5,
  py: 0.5,
  borderRadius: 0,
  lineHeight: 1.4,
  outlineOffset: '-2px !important',
} as const;
const LINE = {
  display: 'block',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  fontSize: 13.5,
  fontVariantNumeric: 'tabular-nums',
} as const;
const SMALL = { fontSize: 12.5, color: 'text.secondary', fontWeight: 400 } as const;
