import { useEffect, useEffectEvent } from 'react';

/** Terminals come and go by themselves, and nobody edits a record by it: what shows them is asked for again. */
const EVERY_MS = 10_000;

/** Runs now and then while the page is in view, and when it comes into view. */
export function useWhileInView(run: () => void): void {
  const ask = useEffectEvent(() => {
    if (document.visibilityState === 'visible') run();
  });
  useEffect(() => {
    const askAgain = () => ask();
    const timer = setInterval(askAgain, EVERY_MS);
    document.addEventListener('visibilitychange', askAgain);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askAgain);
    };
  }, []);
}
