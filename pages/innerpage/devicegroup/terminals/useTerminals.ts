import { useCallback, useEffect, useRef, useState } from 'react';
import { listTerminals } from '../../../../shared/api/devices/deviceGroup.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/terminals.ts';
import { useWhileInView } from '../useWhileInView.ts';

/** Terminals that wait to be let in. */
export function useTerminals(): { readonly terminals: readonly WaitingTerminal[]; readonly reload: () => void } {
  const [terminals, setTerminals] = useState<readonly WaitingTerminal[]>([]);
  // The question under way: an older answer that comes late must not bring back who was let in meanwhile.
  const pendingRequest = useRef<AbortController>(undefined);
  const load = useCallback(async () => {
    pendingRequest.current?.abort();
    const abort = new AbortController();
    pendingRequest.current = abort;
    const result = await listTerminals(abort.signal);
    if (!abort.signal.aborted && result.ok && Array.isArray(result.value)) setTerminals(result.value);
  }, []);
  useEffect(() => {
    void load();
    return () => pendingRequest.current?.abort();
  }, [load]);
  const reload = () => void load();
  useWhileInView(reload);
  return { terminals, reload };
}

/** The identity is the device's own: it was listed since the device is online from another address. */
export function isElsewhere({ device, manufacturer, terminalId }: WaitingTerminal): boolean {
  return device?.manufacturer === manufacturer && device.terminalId === terminalId;
}

/** Those that nobody has decided on. */
export function isOpen({ refusedAtMs }: WaitingTerminal): boolean {
  return refusedAtMs === 0;
}
