import { useCallback, useEffect, useState } from 'react';
import { listTerminals } from '../../../../shared/api/deviceGroup.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/deviceGroup.ts';

/** A terminal that was refused tries again every minute or so. */
const POLL_MS = 10_000;

/** Terminals that wait to be let in, asked again while the page is in view. */
export function useTerminals(): { readonly terminals: readonly WaitingTerminal[]; readonly reload: () => void } {
  const [terminals, setTerminals] = useState<readonly WaitingTerminal[]>([]);
  const [ask, setAsk] = useState(0);
  const reload = useCallback(() => setAsk((count) => count + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    void listTerminals(abort.signal).then((result) => {
      if (result.ok && Array.isArray(result.value)) setTerminals(result.value);
    });
    const timer = setTimeout(() => document.visibilityState === 'visible' && reload(), POLL_MS);
    const onVisible = () => document.visibilityState === 'visible' && reload();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [ask, reload]);
  return { terminals, reload };
}

/** Those that nobody has decided on. */
export function isOpen({ refusedAtMs }: WaitingTerminal): boolean {
  return refusedAtMs === 0;
}
