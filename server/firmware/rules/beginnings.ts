// Decides which devices are sent to next. Pure.
import type { FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';

export interface BeginningDevice {
  readonly id: number;
  readonly stage: number;
  readonly state: FirmwareDeviceState;
  readonly model: string;
  /** Attempts, without those that the gateway itself broke off. */
  readonly attempts: number;
  /** Its model has a record of how it is updated. */
  readonly isModelKnown: boolean;
  /** Nothing but the other devices keeps it from beginning. */
  readonly isReady: boolean;
}

export interface Beginnings {
  readonly begin: readonly number[];
  /** Devices that wait for their turn, since their model is tried on one device first. */
  readonly turn: readonly number[];
}

/** States from the first package to the end of verification, and after a failure: only a member can have the model tried again. */
const TRIED: ReadonlySet<FirmwareDeviceState> = new Set([
  'sending',
  'sent',
  'rebooting',
  'verifying',
  'failed',
  'refused',
]);

/** `places`: how many more devices may be sent to at the same time. */
export function beginningsOf(
  devices: readonly BeginningDevice[],
  { stage, places }: { readonly stage: number; readonly places: number },
): Beginnings {
  const begin: number[] = [];
  const turn: number[] = [];
  const proven = new Set(devices.filter(({ state }) => state === 'done').map(({ model }) => model));
  const trials = trialsOf(devices);
  for (const device of devices) {
    if (!device.isReady || device.stage > stage) continue;
    const isTrial = !device.isModelKnown && !proven.has(device.model);
    const trial = trials.get(device.model);
    if (isTrial && trial !== undefined && trial !== device.id) {
      turn.push(device.id);
      continue;
    }
    if (begin.length >= places) continue;
    if (isTrial) trials.set(device.model, device.id);
    begin.push(device.id);
  }
  return { begin, turn };
}

/** The device that each model without a record is tried on. */
function trialsOf(devices: readonly BeginningDevice[]): Map<string, number> {
  const unknown = devices.filter(({ isModelKnown }) => !isModelKnown);
  const between = unknown.filter(({ state, attempts }) => attempts > 0 && (state === 'queued' || state === 'waiting'));
  const tried = unknown.filter(({ state }) => TRIED.has(state));
  return new Map([...between.toReversed(), ...tried].map(({ id, model }) => [model, id]));
}
