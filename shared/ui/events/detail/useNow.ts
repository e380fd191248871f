import { useEffect, useState } from 'react';

/** The time, renewed every so often while `isOn`. */
export function useNow(everyMs: number, isOn: boolean): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return nowMs;
}
