import Box from '@mui/material/Box';
import { type PointerEvent, useCallback, useRef, useState } from 'react';
import type { TimeRange } from '../clock/ranges.ts';
import { useClock, useClockFrames } from '../clock/useClock.ts';
import { shareOf } from '../slider/sliderScale.ts';
import { type DragPoint, dragMeaning } from './dragRange.ts';

export interface ChartCursorProps {
  readonly view: TimeRange;
  readonly left: number;
  readonly right: number;
  readonly onZoom: (range: TimeRange) => void;
}

/** Over the charts: the clock's moment as a line, and the stretch that is dragged. The slider does both for the keyboard. */
export function ChartCursor({ view, left, right, onZoom }: ChartCursorProps) {
  const clock = useClock();
  const line = useRef<HTMLDivElement>(null);
  const start = useRef<DragPoint>(undefined);
  const [dragged, setDragged] = useState<readonly [number, number]>();
  useClockFrames(
    useCallback(
      (atMs: number) => {
        const share = shareOf(view, atMs);
        if (line.current === null) return;
        line.current.style.transform = `translateX(${share * 100}%)`;
        line.current.style.visibility = share >= 0 && share <= 1 ? 'visible' : 'hidden';
      },
      [view],
    ),
  );
  const end = () => {
    start.current = undefined;
    setDragged(undefined);
  };
  const onDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = pointOf(event);
  };
  const onMove = (event: PointerEvent) => {
    if (start.current !== undefined) setDragged([start.current.share, pointOf(event).share]);
  };
  const onUp = (event: PointerEvent) => {
    if (start.current === undefined) return;
    const meaning = dragMeaning(start.current, pointOf(event), view);
    end();
    if (meaning.kind === 'seek') clock.seek(meaning.atMs);
    else onZoom(meaning.range);
  };
  return (
    <Box
      data-chart-cursor=""
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={end}
      sx={{ ...ZONE, left, right }}
    >
      {dragged !== undefined && <Box sx={SELECTED} style={selectionStyle(dragged)} />}
      <Box ref={line} data-cursor="" sx={LINE} />
    </Box>
  );
}

function pointOf({ clientX, currentTarget }: PointerEvent): DragPoint {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = width > 0 ? (clientX - left) / width : 0;
  return { clientX, share: Math.min(Math.max(share, 0), 1) };
}

function selectionStyle([from, to]: readonly [number, number]) {
  return { left: `${Math.min(from, to) * 100}%`, width: `${Math.abs(to - from) * 100}%` };
}

const ZONE = {
  position: 'absolute',
  top: 0,
  bottom: 0,
  overflow: 'hidden',
  cursor: 'crosshair',
  touchAction: 'pan-y',
} as const;
const SELECTED = { position: 'absolute', top: 0, bottom: 0, backgroundColor: 'primary.main', opacity: 0.2 } as const;
const LINE = {
  position: 'absolute',
  inset: 0,
  pointerEvents: 'none',
  '&::before': {
    content: '""',
    position: 'absolute',
    left: -1,
    top: 0,
    bottom: 0,
    width: 2,
    backgroundColor: 'text.primary',
  },
} as const;
