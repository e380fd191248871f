import { useCallback, useEffect, useState } from 'react';
import { listTerminals } from '../../../../shared/api/deviceGroup.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/deviceGroup.ts';
import { useWhileInView } from '../useWhileInView.ts';

/** Terminals that wait to be let in. */
export function useTerminals(): { readonly terminals: readonly WaitingTerminal[]; readonly reload: () => void } {
  const [terminals, setTerminals] = useState<readonly WaitingTerminal[]>([]);
  const load = useCallback(async (signal?: AbortSignal) => {
    const result = await listTerminals(signal);
    if (result.ok && Array.isArray(result.value)) setTerminals(result.value);
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    void load(abort.signal);
    return () => abort.abort();
  }, [load]);
  const reload = () => void load();
  useWhileInView(reload);
  return { terminals, reload };
}

/** Those that nobody has decided on. */
export function isOpen({ refusedAtMs }: WaitingTerminal): boolean {
  return refusedAtMs === 0;
}
