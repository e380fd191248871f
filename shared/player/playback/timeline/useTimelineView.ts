import { useCallback, useRef, useState } from 'react';
import type { PlaybackController } from '../playbackController.ts';
import { usePositionFrames } from '../useSession.ts';
import { dayOf, fitted, following, isIn, panned, type TimelineView, zoomed } from './timelineView.ts';

export interface ViewControl {
  readonly view: TimelineView;
  /** About a moment, or the position. */
  readonly zoom: (factor: number, aboutMs?: number) => void;
  readonly pan: (byMs: number) => void;
  /** The whole day that the position is in, or all that there is. */
  readonly showDay: () => void;
  /** While the viewer moves the view, play does not. */
  readonly setHeld: (isHeld: boolean) => void;
}

/** The stretch that the timeline shows: it follows play until the viewer looks elsewhere, and again after the next jump. */
export function useTimelineView(session: PlaybackController, startMs: number): ViewControl {
  const { bounds } = session;
  const [view, setView] = useState(() => bounds ?? dayOf(startMs));
  const isHeld = useRef(false);
  const isElsewhere = useRef(false);
  const lastMs = useRef(startMs);
  const position = useCallback(() => session.positionMs() ?? startMs, [session, startMs]);
  usePositionFrames(session, (positionMs) => {
    const hasJumped = Math.abs(positionMs - lastMs.current) > 2_000;
    lastMs.current = positionMs;
    if (hasJumped) isElsewhere.current = false;
    if (!isHeld.current && !isElsewhere.current) setView((current) => following(current, positionMs, bounds));
  });
  const zoom = useCallback(
    (factor: number, aboutMs?: number) => {
      const at = aboutMs ?? position();
      setView((current) => {
        const next = fitted(
          zoomed(aboutMs === undefined ? following(current, at, bounds) : current, factor, at),
          bounds,
        );
        isElsewhere.current = !isIn(next, position());
        return next;
      });
    },
    [position, bounds],
  );
  const pan = useCallback(
    (byMs: number) => {
      isElsewhere.current = true;
      setView((current) => fitted(panned(current, byMs), bounds));
    },
    [bounds],
  );
  const showDay = useCallback(() => {
    isElsewhere.current = false;
    setView(bounds ?? dayOf(position()));
  }, [position, bounds]);
  const setHeld = useCallback((value: boolean) => {
    isHeld.current = value;
  }, []);
  return { view, zoom, pan, showDay, setHeld };
}
