import Box from '@mui/material/Box';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type UIEvent, useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { getTrackPoints } from '../../../../shared/api/tracks.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { MAX_TRACK_ROWS, type TrackPoint } from '../../../../shared/protocol/api/tracks/track.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import type { TimeRange } from '../clock/ranges.ts';
import { useAtClock, useClock } from '../clock/useClock.ts';
import { PointWindow, rowAt, type ShownPoints } from './pointWindow.ts';

export interface PointTableProps {
  readonly deviceId: string;
  readonly span: TimeRange;
}

/** Every reported position, in step with the clock. Another device or span needs another `key`. */
export function PointTable(props: PointTableProps) {
  const window = usePointWindow(props);
  return window === undefined ? <Waiting /> : <Table window={window} />;
}

function usePointWindow({ deviceId, span }: PointTableProps): PointWindow | undefined {
  const [window, setWindow] = useState<PointWindow>();
  const clock = useClock();
  const { fromMs: from, toMs: to } = span;
  useEffect(() => {
    const made = new PointWindow((place, signal) =>
      getTrackPoints({ deviceid: deviceId, from, to, limit: MAX_TRACK_ROWS, ...place }, signal),
    );
    setWindow(made);
    const stop = clock.draw((atMs) => made.follow(atMs));
    return () => {
      stop();
      made.close();
      setWindow(undefined);
    };
  }, [clock, deviceId, from, to]);
  return window;
}

const EDGE_ROWS = 20;

function Table({ window }: { readonly window: PointWindow }) {
  const { t } = useTranslation('GpsPlayback');
  const clock = useClock();
  const shown = useSyncExternalStore(window.subscribe, () => window.shown);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: shown.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 10,
    // The head lies over the first row's height.
    scrollMargin: ROW_PIXELS,
    scrollPaddingStart: ROW_PIXELS,
  });
  const current = useAtClock(useCallback((atMs: number) => rowAt(shown, atMs), [shown]));
  useKeptPlace(scroller, shown);
  useEffect(() => {
    if (current >= 0) rows.scrollToIndex(current, { align: 'auto' });
  }, [current, rows]);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget;
    if (scrollTop < EDGE_ROWS * ROW_PIXELS) window.more('before');
    if (scrollTop + clientHeight > scrollHeight - EDGE_ROWS * ROW_PIXELS) window.more('after');
  };
  if (!shown.isKnown && shown.failure === undefined) return <Waiting />;
  if (shown.failure !== undefined) return <Box sx={{ p: 2 }}>{errorText(shown.failure)}</Box>;
  if (shown.rows.length === 0)
    return <Box sx={{ p: 2, color: 'text.secondary' }}>{t('No positions in this period.')}</Box>;
  return (
    <Box
      ref={scroller}
      role="table"
      tabIndex={0}
      aria-label={t('Positions')}
      aria-rowcount={-1}
      onScroll={onScroll}
      sx={SCROLLER}
    >
      <Head />
      <Box role="rowgroup" sx={{ position: 'relative' }} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const point = shown.rows[index];
          if (point === undefined) return null;
          return (
            <Box
              key={`${point.atMs} ${index}`}
              role="row"
              aria-current={index === current ? 'true' : undefined}
              data-point={point.atMs}
              onClick={() => clock.seek(point.atMs)}
              sx={{ ...ROW, cursor: 'pointer', backgroundColor: index === current ? 'action.selected' : undefined }}
              style={{ position: 'absolute', top: start - ROW_PIXELS, left: 0, right: 0 }}
            >
              <PointCells point={point} />
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

/** Rows that come in front move nothing of what is looked at. */
function useKeptPlace(scroller: { readonly current: HTMLElement | null }, shown: ShownPoints): void {
  useLayoutEffect(() => {
    if (scroller.current !== null && shown.added !== 0) scroller.current.scrollTop += shown.added * ROW_PIXELS;
  }, [scroller, shown]);
}

function Head() {
  const { t } = useTranslation('GpsPlayback');
  const names = [t('Time'), t('Speed'), t('Ignition'), t('Position')];
  return (
    <Box role="rowgroup" sx={HEAD}>
      <Box role="row" sx={{ ...ROW, fontWeight: 650 }}>
        {names.map((name) => (
          <Box component="span" key={name} role="columnheader">
            {name}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function PointCells({ point }: { readonly point: TrackPoint }) {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const { atMs, speedKmh, ignitionOn, hasFix, lat, lng, isLate } = point;
  const cells = [
    formatTimestamp(atMs, zone) + (isLate ? ` ${t('late')}` : ''),
    speedKmh === null ? '–' : `${Math.round(speedKmh)} km/h`,
    ignitionOn ? t('On') : t('Off'),
    hasFix ? `${lat.toFixed(5)}, ${lng.toFixed(5)}` : t('No fix'),
  ];
  return cells.map((text, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row are always the same ones
    <Box component="span" key={at} role="cell">
      {text}
    </Box>
  ));
}

const ROW_PIXELS = 28;
const SCROLLER = {
  flex: 1,
  minHeight: { xs: 260, lg: 0 },
  height: { xs: 320, lg: 'auto' },
  overflow: 'auto',
  fontSize: 12.5,
  fontVariantNumeric: 'tabular-nums',
  outlineOffset: '-2px !important',
} as const;
const ROW = {
  display: 'grid',
  gridTemplateColumns: 'minmax(172px, 1.3fr) 60px 56px minmax(136px, 1fr)',
  columnGap: 1,
  minWidth: 472,
  height: ROW_PIXELS,
  alignItems: 'center',
  px: 1.5,
  whiteSpace: 'nowrap',
} as const;
const HEAD = {
  position: 'sticky',
  top: 0,
  zIndex: 1,
  backgroundColor: 'background.paper',
  borderBottom: 1,
  borderColor: 'divider',
} as const;
