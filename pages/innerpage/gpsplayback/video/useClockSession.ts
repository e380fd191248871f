import { useEffect, useState } from 'react';
import type { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import { PlaybackController } from '../../../../shared/player/playback/playbackController.ts';
import type { TimeRange } from '../clock/ranges.ts';
import { useClock } from '../clock/useClock.ts';
import { SessionSide } from './sessionSide.ts';

/** A session of the server's recordings that is on the page's clock. */
export function useClockSession(
  engine: PlayerEngine | undefined,
  recorded: readonly TimeRange[],
): PlaybackController | undefined {
  const clock = useClock();
  const [made, setMade] = useState<{ readonly session: PlaybackController; readonly side: SessionSide }>();
  useEffect(() => {
    if (engine === undefined) return undefined;
    const session = new PlaybackController((isOn) => engine.hold(isOn));
    setMade({ session, side: new SessionSide(session, []) });
    return () => {
      session.close();
      setMade(undefined);
    };
  }, [engine]);
  useEffect(() => {
    if (made === undefined) return undefined;
    const { session, side } = made;
    clock.setVideo(side);
    let wasControlled = session.state.isControlled;
    const stop = session.subscribe(() => {
      const { isControlled } = session.state;
      const isFirst = isControlled && !wasControlled;
      // A command changes the session, and comes back here.
      wasControlled = isControlled;
      // From its first message on, it can be told where the clock is.
      if (isFirst) side.follow(clock.state, 'seek');
      const { stoodAtMs } = side;
      if (stoodAtMs !== undefined) clock.stand(stoodAtMs);
    });
    return () => {
      stop();
      clock.setVideo(undefined);
    };
  }, [clock, made]);
  useEffect(() => {
    if (made !== undefined) made.side.recorded = recorded;
  }, [made, recorded]);
  return made?.session;
}
