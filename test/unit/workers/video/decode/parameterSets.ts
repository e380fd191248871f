// Units for the decoder's tests.
import { fromHex, PARAMETER_SETS } from '../../../shared/protocol/video/knownSets.ts';

/** An access unit: each unit behind a start code. */
export function annexB(...units: readonly (readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(units.flatMap((unit) => [0, 0, 0, 1, ...unit]));
}

export const PPS = [0x68, 0xce, 0x06, 0xe2];
export const IDR = [0x65, 0x88, 0x80, 0x10];
export const SLICE = [0x41, 0x9a, 0x10];

/** The bytes of a known set, by the part of its name. */
export function setNamed(part: string): Uint8Array<ArrayBuffer> {
  const found = PARAMETER_SETS.find((set) => set.name.includes(part));
  if (found === undefined) throw new Error(`no parameter set is called ${part}`);
  return fromHex(found.hex);
}
