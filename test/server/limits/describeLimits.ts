import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Limit, OnLimit } from '../../../server/limits/limit.ts';

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
 * Compares one section of the table of limits in docs/operation.md with the cases, name by name and number by number, and
 * reaches each limit: so that the table leaves out none and promises none that does not hold.
 */
export function describeLimits(section: string, cases: readonly LimitCase[]): void {
  describe(`limits: ${section}`, () => {
    it('are those of the documentation', () => {
      const declared = cases.map(({ limit }) => ({ name: limit.name, max: limit.max }));
      expect(documentedLimits(section).sort(byName)).toEqual(declared.sort(byName));
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

/** The rows `| \`name\` | number | ...` below the heading `### section`. */
function documentedLimits(section: string): { name: string; max: number }[] {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operation.md'), 'utf8');
  const [, runAfter = ''] = text.split(`\n### ${section}\n`);
  const [body = ''] = runAfter.split(/\n##/);
  const rows = [...body.matchAll(/^\| `([^`]+)` \| ([\d,]+) \|/gm)];
  return rows.map(([, name = '', max = '']) => ({ name, max: Number(max.replaceAll(',', '')) }));
}
