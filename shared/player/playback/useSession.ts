import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { PlaybackController } from './playbackController.ts';
import type { PlaybackState } from './playbackState.ts';

export function usePlaybackState(session: PlaybackController): PlaybackState {
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** Calls with the position for every picture of the screen on which it has changed; renders nothing. */
export function usePositionFrames(session: PlaybackController, draw: (positionMs: number) => void): void {
  const current = useRef(draw);
  useEffect(() => {
    current.current = draw;
  });
  useEffect(() => {
    let drawnMs: number | undefined;
    let frame = requestAnimationFrame(look);
    function look(): void {
      frame = requestAnimationFrame(look);
      const positionMs = session.positionMs();
      if (positionMs === undefined || positionMs === drawnMs) return;
      drawnMs = positionMs;
      current.current(positionMs);
    }
    return () => cancelAnimationFrame(frame);
  }, [session]);
}

/** The position as whole seconds of the epoch, in milliseconds; undefined before it is known. */
export function useSecond(session: PlaybackController): number | undefined {
  const [second, setSecond] = useState<number>();
  usePositionFrames(session, (positionMs) => setSecond(Math.floor(positionMs / 1_000) * 1_000));
  return second;
}
