// The page's clock in the life of a component. Nothing here renders for each picture of the screen.
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ClockState } from './clockState.ts';
import { PageClock } from './pageClock.ts';

export const ClockContext = createContext<PageClock | undefined>(undefined);

export function useClock(): PageClock {
  const clock = useContext(ClockContext);
  if (clock === undefined) throw new Error('there is no clock around this part');
  return clock;
}

/** Undefined in the first rendering only. */
export function useOwnClock(): PageClock | undefined {
  const [clock, setClock] = useState<PageClock>();
  useEffect(() => {
    const made = new PageClock();
    setClock(made);
    return () => {
      made.close();
      setClock(undefined);
    };
  }, []);
  return clock;
}

/** Whether it plays, how fast, and what it skips; the position in it is that of the last such change. */
export function useClockState(): ClockState {
  const clock = useClock();
  const state = useRef(clock.state);
  return useSyncExternalStore(clock.subscribe, () => {
    const now = clock.state;
    const { isPlaying, speed, skips } = state.current;
    if (now.isPlaying !== isPlaying || now.speed !== speed || now.skips !== skips) state.current = now;
    return state.current;
  });
}

/** Calls for every picture of the screen on which the position has changed, and whenever `draw` is another function. */
export function useClockFrames(draw: (positionMs: number) => void): void {
  const clock = useClock();
  useEffect(() => clock.draw(draw), [clock, draw]);
}

/** What is found at the clock's moment. Renders when it is another, however fast the clock runs. */
export function useAtClock<Value extends string | number | boolean | undefined>(
  find: (positionMs: number) => Value,
): Value {
  const clock = useClock();
  const [value, setValue] = useState(() => find(clock.state.positionMs));
  useEffect(() => clock.draw((positionMs) => setValue(find(positionMs))), [clock, find]);
  return value;
}

const TEXT_EVERY_MS = 250;

/** The position a few times a second: for what is read and not watched. The last one of a movement always comes. */
export function useSlowPosition(everyMs: number = TEXT_EVERY_MS): number {
  const clock = useClock();
  const [positionMs, setPosition] = useState(clock.state.positionMs);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      setPosition(clock.state.positionMs);
    };
    const stop = clock.draw(() => {
      timer ??= setTimeout(show, everyMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [clock, everyMs]);
  return positionMs;
}
