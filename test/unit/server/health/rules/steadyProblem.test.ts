import { expect, it } from 'vitest';
import { afterLook, NO_PROBLEM, type SteadyProblem } from '../../../../../server/health/rules/steadyProblem.ts';

const STATES = { p: 'problem', w: 'warning', o: 'ok' } as const;

/** Whether it is a problem after each look, of which each letter is one. */
function seen(looks: string): string {
  let steady: SteadyProblem = NO_PROBLEM;
  return [...looks]
    .map((look) => {
      steady = afterLook(steady, STATES[look as keyof typeof STATES]);
      return steady.isProblem ? 'P' : '.';
    })
    .join('');
}

it.each([
  ['three looks in a row begin it', 'ppp', '..P'],
  ['a look that is fine begins the count anew', 'ppoppp', '.....P'],
  ['a warning is none', 'wwwwww', '......'],
  ['five looks in a row end it', 'pppooooo', '..PPPPP.'],
  ['a warning ends it too', 'pppwwoow', '..PPPPP.'],
  ['what comes and goes goes on', 'pppoooopoooopooooo', '..PPPPPPPPPPPPPPP.'],
])('%s', (_, looks, expected) => {
  expect(seen(looks)).toBe(expected);
});
