// A position as fences see it.
import type { PositionDetails } from '../../device/jt808/codec/positionItems.ts';
import { type Motion, motionOf } from '../../events/rules/deviceFacts.ts';
import { plausiblePosition } from '../../events/rules/plausible.ts';
import { positionInputOf } from '../../events/rules/positionInput.ts';
import type { Position } from '../../store/fleet/positions.ts';
import type { Moment } from './moment.ts';

export interface FencePoint extends Moment {
  readonly receivedAtMs: number;
  readonly isLate: boolean;
  /** Otherwise the coordinates are of no use. */
  readonly hasFix: boolean;
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined: not known. */
  readonly headingDeg: number | undefined;
  /** Undefined where it isn't known. */
  readonly speedKmh: number | undefined;
  readonly motion: Motion;
}

/** Undefined for a position that can't be placed in time. */
export function fencePointOf(position: Position, details: PositionDetails, isLate: boolean): FencePoint | undefined {
  const input = plausiblePosition(positionInputOf(position, details, isLate));
  if (input === undefined) return undefined;
  const { atMs, deviceTimeMs: deviceMs, receivedAtMs, hasFix, latitude, longitude, speedKmh } = input;
  const { headingDeg } = position;
  const motion = motionOf(input);
  return { atMs, deviceMs, receivedAtMs, isLate, hasFix, latitude, longitude, headingDeg, speedKmh, motion };
}
