// The timeline's picture: marks of the wall clock above, a lane of recordings for each channel below. Drawn anew when the view
// changes, not while play goes on.
import { memo, type ReactElement } from 'react';
import type { ChannelRanges } from './rangeStore.ts';
import type { TimeRange } from './ranges.ts';
import { type Tick, ticksOf } from './ticks.ts';
import { type TimelineView, xOf } from './timelineView.ts';

export interface TimelineDrawingProps {
  readonly view: TimelineView;
  readonly width: number;
  readonly channels: readonly ChannelRanges[];
}

const HEIGHT = 44;
const LANES_TOP = 20;
const LANES_HEIGHT = 20;
/** A recording that is shorter is still seen. */
const LEAST_WIDTH = 1;

export const TimelineDrawing = memo(function TimelineDrawing({
  view,
  width,
  channels,
}: TimelineDrawingProps): ReactElement {
  const laneHeight = LANES_HEIGHT / Math.max(channels.length, 1);
  const gap = laneHeight > 3 ? 1 : 0;
  return (
    <svg className="playback-drawing" width={width} height={HEIGHT} aria-hidden="true" shapeRendering="crispEdges">
      <rect className="playback-lanes" x={0} y={LANES_TOP} width={width} height={LANES_HEIGHT} />
      {channels.map(({ channel, ranges }, lane) => {
        const box = { y: LANES_TOP + lane * laneHeight, height: laneHeight - gap };
        return <path key={channel} className="playback-recorded" d={pathOf(ranges, box, { view, width })} />;
      })}
      {ticksOf(view, width).map((tick) => (
        <TickMark key={tick.atMs} tick={tick} x={Math.round(xOf(view, tick.atMs, width))} width={width} />
      ))}
    </svg>
  );
});

function TickMark({
  tick,
  x,
  width,
}: {
  readonly tick: Tick;
  readonly x: number;
  readonly width: number;
}): ReactElement {
  const { label, isMidnight } = tick;
  const top = isMidnight ? 0 : label === undefined ? LANES_TOP - 4 : LANES_TOP - 7;
  // A label stands beside its mark, and before it where the picture ends.
  const isAtEnd = label !== undefined && x + 8 * label.length > width;
  return (
    <>
      <line className={isMidnight ? 'playback-midnight' : 'playback-tick'} x1={x} x2={x} y1={top} y2={HEIGHT} />
      {label !== undefined && (
        <text x={isAtEnd ? x - 3 : x + 3} y={12} textAnchor={isAtEnd ? 'end' : 'start'}>
          {label}
        </text>
      )}
    </>
  );
}

interface Scale {
  readonly view: TimelineView;
  readonly width: number;
}

function pathOf(
  ranges: readonly TimeRange[],
  box: { readonly y: number; readonly height: number },
  scale: Scale,
): string {
  const { view, width } = scale;
  const parts: string[] = [];
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const { fromMs, toMs } of ranges) {
    if (toMs <= view.fromMs || fromMs >= view.toMs) continue;
    const left = Math.max(xOf(view, fromMs, width), 0);
    const right = Math.min(Math.max(xOf(view, toMs, width), left + LEAST_WIDTH), width);
    if (right <= drawnTo) continue;
    drawnTo = right;
    parts.push(`M${left.toFixed(1)} ${box.y}H${right.toFixed(1)}v${box.height}H${left.toFixed(1)}z`);
  }
  return parts.join('');
}
