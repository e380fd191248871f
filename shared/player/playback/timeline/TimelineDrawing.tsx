// The timeline's picture: marks of the wall clock above, a lane of recordings for each channel below. Drawn again when the view
// changes, not while play goes on.
import { memo, type ReactElement, useId } from 'react';
import { fetchedLine, hatchedOf, type Stretch, stretchesOf } from './fetchedMarks.ts';
import type { ChannelRanges } from './rangeStore.ts';
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
const FETCHED_LINE = { y: 41, height: 2 };
/** A recording that is shorter is still seen. */
const LEAST_WIDTH = 1;

export const TimelineDrawing = memo(function TimelineDrawing({
  view,
  width,
  channels,
}: TimelineDrawingProps): ReactElement {
  const laneHeight = LANES_HEIGHT / Math.max(channels.length, 1);
  const gap = laneHeight > 3 ? 1 : 0;
  const hatch = useId();
  const scale = { view, width };
  return (
    <svg className="playback-drawing" width={width} height={HEIGHT} aria-hidden="true" shapeRendering="crispEdges">
      <rect className="playback-lanes" x={0} y={LANES_TOP} width={width} height={LANES_HEIGHT} />
      <HatchPattern id={hatch} />
      {channels.map((recorded, lane) => {
        const box = { y: LANES_TOP + lane * laneHeight, height: laneHeight - gap };
        const hatched = hatchedOf(recorded, scale);
        return (
          <g key={recorded.channel}>
            <path className="playback-recorded" d={pathOf(stretchesOf(recorded.ranges, scale, LEAST_WIDTH), box)} />
            {hatched.length > 0 && <path fill={`url("#${hatch}")`} d={pathOf(hatched, box)} />}
          </g>
        );
      })}
      {ticksOf(view, width).map((tick) => (
        <TickMark key={tick.atMs} tick={tick} x={Math.round(xOf(view, tick.atMs, width))} width={width} />
      ))}
      <path className="playback-fetched" d={pathOf(fetchedLine(channels, scale), FETCHED_LINE)} />
    </svg>
  );
});

/** Stripes with gaps through which the recording is seen. They run on from lane to lane: low lanes show them too. */
function HatchPattern({ id }: { readonly id: string }): ReactElement {
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse">
      <path className="playback-hatch" shapeRendering="auto" d="M-1 1L1-1M-1 7L7-1M5 7L7 5" />
    </pattern>
  );
}

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

interface Box {
  readonly y: number;
  readonly height: number;
}

function pathOf(stretches: readonly Stretch[], { y, height }: Box): string {
  return stretches
    .map(({ left, right }) => `M${left.toFixed(1)} ${y}H${right.toFixed(1)}v${height}H${left.toFixed(1)}z`)
    .join('');
}
