import { listTerminals } from '../../../../shared/api/devices/deviceGroup.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/terminals.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { TERMINALS_EVERY_MS } from '../polling.ts';

/** Terminals that wait to be let in. */
export function useTerminals(): { readonly terminals: readonly WaitingTerminal[]; readonly reload: () => void } {
  const { value, reload } = useRecord({ key: ['terminals'], load: listTerminals, everyMs: TERMINALS_EVERY_MS });
  return { terminals: value ?? NONE, reload };
}

const NONE: readonly WaitingTerminal[] = [];

/** The identity is the device's own: it was listed since the device is online from another address. */
export function isElsewhere({ device, manufacturer, terminalId }: WaitingTerminal): boolean {
  return device?.manufacturer === manufacturer && device.terminalId === terminalId;
}

/** Those that nobody has decided on. */
export function isOpen({ refusedAtMs }: WaitingTerminal): boolean {
  return refusedAtMs === 0;
}
