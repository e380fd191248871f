import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaybackController } from '../playbackController.ts';
import { usePositionFrames, useSecond } from '../useSession.ts';
import { isFetchedAt } from './fetchedMarks.ts';
import type { ChannelRanges } from './rangeStore.ts';
import { TimelineDrawing } from './TimelineDrawing.tsx';
import { timeAt, xOf } from './timelineView.ts';
import { useTimelinePointer } from './useTimelinePointer.ts';
import type { ViewControl } from './useTimelineView.ts';
import { formatDateTime, formatTime, formatZone } from './wallClock.ts';

export interface TimelineProps {
  readonly session: PlaybackController;
  readonly control: ViewControl;
  readonly channels: readonly ChannelRanges[];
}

/** What was recorded when, and where play stands in it. Dragging in it scrubs; with a second finger, or the wheel, it zooms. */
export function Timeline({ session, control, channels }: TimelineProps): ReactElement {
  const { t } = useTranslation('Playback');
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  const width = useWidth(bar);
  const { view } = control;
  const head = useRef<HTMLDivElement>(null);
  const place = useCallback(
    (positionMs: number) => {
      const x = xOf(view, positionMs, width);
      if (head.current === null) return;
      head.current.style.transform = `translateX(${x}px)`;
      head.current.style.visibility = x >= 0 && x <= width ? 'visible' : 'hidden';
    },
    [view, width],
  );
  usePositionFrames(session, place);
  useEffect(() => place(session.positionMs() ?? Number.NaN), [session, place]);
  const second = useSecond(session);
  const hover = useTimelinePointer({ bar, session, control });
  const hoverMs = hover === undefined ? undefined : timeAt(view, hover, width);
  const said = (text: string, atMs: number): string =>
    isFetchedAt(channels, atMs) ? t('{{time}}, fetched from the device', { time: text }) : text;
  return (
    <div
      ref={setBar}
      className="playback-timeline"
      role="slider"
      tabIndex={0}
      aria-label={t('Timeline')}
      aria-valuemin={Math.floor(view.fromMs / 1_000)}
      aria-valuemax={Math.floor(view.toMs / 1_000)}
      aria-valuenow={Math.floor((second ?? view.fromMs) / 1_000)}
      aria-valuetext={second === undefined ? '' : said(`${formatDateTime(second)} ${formatZone(second)}`, second)}
      aria-orientation="horizontal"
    >
      <TimelineDrawing view={view} width={width} channels={channels} />
      {hover !== undefined && hoverMs !== undefined && (
        <div className="playback-hover" style={{ transform: `translateX(${hover}px)` }}>
          <span className={hover > width / 2 ? 'playback-hover-left' : undefined}>
            {said(formatTime(hoverMs), hoverMs)}
          </span>
        </div>
      )}
      <div ref={head} className="playback-head" style={{ visibility: 'hidden' }} />
    </div>
  );
}

function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}
