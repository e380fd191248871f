import { positionRule } from '../positionRule.ts';

/** The ignition is on and the vehicle stands. */
export const idling = positionRule(({ ignitionOn }, { motion }) => {
  if (!ignitionOn) return false;
  return motion === 'unknown' ? undefined : motion === 'still';
});
