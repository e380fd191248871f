// What the gateway alone does with NAL units.
import { type NalUnit, withStartCodes } from '../../../shared/protocol/codec/video/nalUnits.ts';

export function joinNalUnits(units: readonly NalUnit[]): Uint8Array {
  return Buffer.concat(withStartCodes(units));
}

/** For a unit that is kept: a view would keep the whole access unit in which it came. */
export function copyOf(unit: NalUnit): NalUnit {
  // Not `slice`, which of a Buffer is a view again.
  return { ...unit, bytes: new Uint8Array(unit.bytes) };
}
