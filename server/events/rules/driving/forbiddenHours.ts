import { isDrivingOn } from '../deviceFacts.ts';
import { positionRule } from '../positionRule.ts';

/** The schedule says when driving is forbidden; without one, it never is. */
export const forbiddenHours = positionRule((_position, facts, { schedule }) =>
  schedule === undefined ? false : isDrivingOn(facts),
);
