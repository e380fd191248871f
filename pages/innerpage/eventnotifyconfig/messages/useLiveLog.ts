import { useEffect, useEffectEvent } from 'react';

const EVERY_MS = 5_000;

/** Asks again while the log changes. */
export function useLiveLog(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => {
    const timer = setInterval(() => ask(), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
