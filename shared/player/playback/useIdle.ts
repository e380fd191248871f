import { useEffect, useState } from 'react';

const IDLE_MS = 3_000;
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Whether nobody has moved or pressed anything for a while. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let timer = setTimeout(() => setIdle(true), IDLE_MS);
    const wake = () => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), IDLE_MS);
    };
    for (const sign of SIGNS) document.addEventListener(sign, wake);
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) document.removeEventListener(sign, wake);
    };
  }, []);
  return isIdle;
}
