import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helpText, variablesTable } from '../../../../server/config/help.ts';
import type { Variable } from '../../../../server/config/variable.ts';
import { variables } from '../../../../server/config/variables.ts';

const document = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
const folder = new URL('../../../../server/config/', import.meta.url);

interface Declaration {
  readonly area: string;
  readonly key: string;
  readonly variable: Variable<unknown>;
}

/** Read from the areas' own files, so that an area which nobody has added to the table is found. */
async function declarations(): Promise<readonly Declaration[]> {
  const areas = readdirSync(folder).filter((file) => file !== 'variables.ts');
  const declared = await Promise.all(
    areas.map(async (area) => {
      const exported: object = await import(new URL(area, folder).href);
      return Object.values(exported).flatMap((table: unknown) => variablesIn(area, table));
    }),
  );
  return declared.flat();
}

function variablesIn(area: string, table: unknown): readonly Declaration[] {
  if (typeof table !== 'object' || table === null) return [];
  return Object.entries(table)
    .filter(([, value]) => typeof value === 'object' && value !== null && 'preset' in value)
    .map(([key, value]) => ({ area, key, variable: value as Variable<unknown> }));
}

it('docs/configuration.md has the table of variables as the program has it', () => {
  expect(document).toContain(variablesTable());
});

describe('a variable that an area declares', async () => {
  const declared = await declarations();

  it('comes from one of several areas', () => {
    expect(new Set(declared.map(({ area }) => area)).size).toBeGreaterThan(5);
    expect(declared).toHaveLength(Object.keys(variables).length);
  });

  it.each(declared)('is read, printed and documented: $variable.name of $area', ({ key, variable }) => {
    // Where two areas have the same key, the later one would hide the other.
    expect((variables as Readonly<Record<string, unknown>>)[key]).toBe(variable);
    expect(document).toContain(`| \`${variable.name}\` |`);
    expect(helpText()).toContain(`  ${variable.name}`);
  });

  it('has a name of its own', () => {
    const names = declared.map(({ variable }) => variable.name);
    expect(new Set(names).size).toBe(names.length);
  });
});
