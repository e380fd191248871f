// What calls find of the device side, and have done to it.
import type { TerminalPresence } from '../../../server/http/devices/deps.ts';
import type { DeviceRecord } from '../../../server/store/devices/deviceRecordRows.ts';

export interface TestTerminals {
  /** What a data plan keeps from being recorded. */
  readonly recordings: Map<string, { readonly withheldBits: number }>;
  readonly online: Map<string, TerminalPresence>;
  readonly editions: Map<string, '2013' | '2019'>;
  readonly cut: string[];
  readonly forgotten: string[];
  /** Devices whose orders were dropped, as their records were then. */
  readonly dropped: DeviceRecord[];
}

export function testTerminals(): TestTerminals {
  return { online: new Map(), editions: new Map(), cut: [], forgotten: [], dropped: [], recordings: new Map() };
}
