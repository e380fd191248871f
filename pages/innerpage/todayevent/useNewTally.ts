import { useEffect, useRef, useState } from 'react';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { type NewTally, NO_TALLY, withNew } from './model/newTally.ts';

/** A screen reader reads each to its end; more often than this, it would do nothing else. */
export const TALLY_MS = 5_000;

export interface SaidTally {
  /** What is said now: the first new events at once, then what has come since. */
  readonly said: NewTally;
  readonly note: (events: readonly EventRow[]) => void;
}

export function useNewTally(): SaidTally {
  const [said, setSaid] = useState(NO_TALLY);
  const waiting = useRef(NO_TALLY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = () => {
    // An empty text is not read; after it, the same number is again.
    setSaid(waiting.current);
    timer.current = waiting.current === NO_TALLY ? undefined : setTimeout(say, TALLY_MS);
    waiting.current = NO_TALLY;
  };
  const note = (events: readonly EventRow[]) => {
    waiting.current = withNew(waiting.current, events);
    if (timer.current === undefined) say();
  };
  return { said, note };
}
