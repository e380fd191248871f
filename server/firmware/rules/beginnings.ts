// Which devices are sent to next. Pure.
import type { FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';

export interface BeginningDevice {
  readonly id: number;
  readonly stage: number;
  readonly state: FirmwareDeviceState;
  readonly model: string;
  /** Its model has a record of how it is updated. */
  readonly isModelKnown: boolean;
  /** Nothing keeps it from beginning but the others. */
  readonly isReady: boolean;
}

export interface Beginnings {
  readonly begin: readonly number[];
  /** Of models that are tried on one device first. */
  readonly turn: readonly number[];
}

/** From the first package to the end of verification. */
const UNDER_WAY: ReadonlySet<FirmwareDeviceState> = new Set(['sending', 'sent', 'rebooting', 'verifying']);

/** `places`: how many more may be sent to at the same time. */
export function beginningsOf(
  devices: readonly BeginningDevice[],
  { stage, places }: { readonly stage: number; readonly places: number },
): Beginnings {
  const begin: number[] = [];
  const turn: number[] = [];
  const inTrial = new Set<string>();
  const proven = new Set<string>();
  for (const { state, model, isModelKnown } of devices) {
    if (isModelKnown) continue;
    if (state === 'done') proven.add(model);
    if (UNDER_WAY.has(state)) inTrial.add(model);
  }
  for (const device of devices) {
    if (!device.isReady || device.stage > stage) continue;
    const isTrial = !device.isModelKnown && !proven.has(device.model);
    if (isTrial && inTrial.has(device.model)) {
      turn.push(device.id);
      continue;
    }
    if (begin.length >= places) continue;
    if (isTrial) inTrial.add(device.model);
    begin.push(device.id);
  }
  return { begin, turn };
}
