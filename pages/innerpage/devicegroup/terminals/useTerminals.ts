import { useCallback, useEffect, useState } from 'react';
import { listTerminals } from '../../../../shared/api/deviceGroup.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/deviceGroup.ts';

/** A terminal that was refused tries again every minute or so. */
const POLL_MS = 10_000;

/** Terminals that wait to be let in, asked again while the page is in view. */
export function useTerminals(): { readonly terminals: readonly WaitingTerminal[]; readonly reload: () => void } {
  const [terminals, setTerminals] = useState<readonly WaitingTerminal[]>([]);
  const load = useCallback(async (signal?: AbortSignal) => {
    const result = await listTerminals(signal);
    if (result.ok && Array.isArray(result.value)) setTerminals(result.value);
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    const ask = () => {
      if (document.visibilityState === 'visible') void load(abort.signal);
    };
    ask();
    const timer = setInterval(ask, POLL_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      abort.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [load]);
  return { terminals, reload: () => void load() };
}

/** Those that nobody has decided on. */
export function isOpen({ refusedAtMs }: WaitingTerminal): boolean {
  return refusedAtMs === 0;
}
