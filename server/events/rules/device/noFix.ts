import { MOVING_KMH } from '../deviceFacts.ts';
import { positionRule } from '../positionRule.ts';

/** The device is in use without a GNSS fix. A parked vehicle may well stand in a garage. */
export const noFix = positionRule(
  ({ hasFix, ignitionOn, speedKmh = 0 }) => !hasFix && (ignitionOn || speedKmh >= MOVING_KMH),
);
