import { useEffect, useEffectEvent, useRef } from 'react';
import type { LiveEvent } from './useLiveEvent.ts';

/** An event whose value changes all the time is reported every second. */
const RELOAD_PAUSE_MS = 3_000;

/** Loads an event's further data again whenever the event may have changed. The data of another event is loaded by its own key. */
export function useReloadOnChange({ event, reloads }: LiveEvent, reload: () => void): void {
  const ask = useEffectEvent(reload);
  const last = useRef({ event, reloads, askedMs: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    const before = last.current;
    last.current = { ...before, event, reloads };
    const isSame = before.event === event && before.reloads === reloads;
    if (isSame || before.event.id !== event.id) return undefined;
    const waitMs = Math.max(0, before.askedMs + RELOAD_PAUSE_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = { ...last.current, askedMs: Date.now() };
      ask();
    }, waitMs);
    return () => clearTimeout(timer);
  }, [event, reloads]);
}
