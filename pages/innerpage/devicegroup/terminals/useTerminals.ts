import { listTerminals } from '../../../../shared/api/devices/deviceGroup.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/terminals.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { TERMINALS_EVERY_MS } from '../polling.ts';

/** Terminals awaiting approval. */
export function useTerminals(): { readonly terminals: readonly WaitingTerminal[]; readonly reload: () => void } {
  const { value, reload } = useRecord({ key: ['terminals'], load: listTerminals, everyMs: TERMINALS_EVERY_MS });
  return { terminals: value ?? NONE, reload };
}

const NONE: readonly WaitingTerminal[] = [];

/** Whether the terminal has the identity of the device itself: it was listed because the device is online from another address. */
export function isElsewhere({ device, manufacturer, terminalId }: WaitingTerminal): boolean {
  return device?.manufacturer === manufacturer && device.terminalId === terminalId;
}

/** Whether nobody has decided on the terminal yet. */
export function isOpen({ refusedAtMs }: WaitingTerminal): boolean {
  return refusedAtMs === 0;
}
