import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Limit, OnLimit } from '../../../server/limits/limit.ts';

export interface LimitCase {
  readonly limit: Limit;
  /** Brings the limit about, through the part that holds to it, and expects what is promised to happen there. */
  readonly reach: (onLimit: OnLimit) => void | Promise<void>;
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
      '%s is reached, and counted',
      async (_name, each) => {
        const reached: string[] = [];
        await each.reach(({ name }) => reached.push(name));
        expect(reached).toContain(each.limit.name);
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
  const [, after = ''] = text.split(`\n### ${section}\n`);
  const [body = ''] = after.split(/\n##/);
  const rows = [...body.matchAll(/^\| `([^`]+)` \| ([\d,]+) \|/gm)];
  return rows.map(([, name = '', max = '']) => ({ name, max: Number(max.replaceAll(',', '')) }));
}
