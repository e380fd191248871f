import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Limit, OnLimit } from '../../../server/limits/limit.ts';
import { limitsIn } from '../../rules/limits/limitsDocument.ts';
import { maximumText } from '../../rules/limits/maximumText.ts';
import { type LimitSection, SETTINGS_ALONE, sectionOf } from '../../rules/limits/sections.ts';

export interface LimitCase {
  readonly limit: Limit;
  /** Makes the part that holds to the limit, which tells `onLimit`. */
  readonly open: (onLimit: OnLimit) => LimitSteps | Promise<LimitSteps>;
}

export interface LimitSteps {
  /** Goes as far as the limit lets, and expects that everything is served. */
  readonly upTo: () => void | Promise<void>;
  /** Goes one further, and expects what the documentation promises to happen there: who is cut, what is refused or left out. */
  readonly beyond: () => void | Promise<void>;
  /** How often the limit is told of beyond it, where that is not once. */
  readonly calls?: number;
}

/**
 * Compares the limits of a section in docs/limits.md with the cases, name by name and number by number, and reaches each limit:
 * so that the document leaves out none and promises none that does not hold.
 */
export function describeLimits(section: LimitSection, cases: readonly LimitCase[]): void {
  describe(`limits: ${section}`, () => {
    it('are those of the documentation', () => {
      const reached = cases.map(({ limit: { name, max } }) => ({ name, maximum: maximumText(name, max) }));
      expect(documentedLimits(section).sort(byName)).toEqual(reached.sort(byName));
    });

    it.each(cases.map((each) => [each.limit.name, each] as const))(
      '%s holds, and is counted beyond',
      async (_name, { limit, open }) => {
        let calls = 0;
        const steps = await open(({ name }) => {
          if (name === limit.name) calls++;
        });
        await steps.upTo();
        expect(calls, 'up to the limit').toBe(0);
        await steps.beyond();
        expect(calls, 'beyond the limit').toBe(steps.calls ?? 1);
      },
    );
  });
}

interface Named {
  readonly name: string;
}

function byName(a: Named, b: Named): number {
  return a.name.localeCompare(b.name);
}

function documentedLimits(section: LimitSection): { name: string; maximum: string }[] {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/limits.md'), 'utf8');
  return limitsIn(text).filter(({ name }) => sectionOf(name) === section && !SETTINGS_ALONE.includes(name));
}
