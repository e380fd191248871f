import { describe, expect, it } from 'vitest';
import { chooseMutants, type Layer, type Mutant, needsProduct, partsOf, plant } from '../../mutants/mutant.ts';

function aMutant(fields: Partial<Mutant> = {}): Mutant {
  return {
    name: 'A limit that is not kept',
    area: 'events',
    file: 'server/limit.ts',
    text: 'count >= max',
    replacement: 'count > max',
    part: { layer: 'unit', path: 'test/unit/server/' },
    ...fields,
  };
}

const inLayer = (layer: Layer, path: string): Mutant =>
  aMutant({ name: `A fault for ${layer}`, part: { layer, path } });

describe('a fault is planted', () => {
  it('in place of the text that it replaces, and nothing else is touched', () => {
    const planted = plant(aMutant(), 'if (count >= max) stop();\nconst max = 3;\n');
    expect(planted).toEqual({ ok: true, source: 'if (count > max) stop();\nconst max = 3;\n' });
  });

  it('as it is written, whatever its signs mean elsewhere', () => {
    const mutant = aMutant({ text: '`$' + '{value}`', replacement: "'$&'" });
    expect(plant(mutant, 'sql`$' + '{value}`')).toEqual({ ok: true, source: "sql'$&'" });
  });

  it('nowhere when the code has changed', () => {
    expect(plant(aMutant(), 'if (count === max) stop();')).toEqual({
      ok: false,
      reason: 'server/limit.ts does not have the text that the fault replaces',
    });
  });

  it('nowhere when several places would do', () => {
    expect(plant(aMutant(), 'count >= max; count >= max')).toEqual({
      ok: false,
      reason: 'server/limit.ts has the text that the fault replaces 2 times',
    });
  });
});

describe('faults are chosen', () => {
  const mutants = [inLayer('unit', 'test/unit/a/'), inLayer('dom', 'test/dom/a/'), inLayer('unit', 'test/unit/a/')];

  it('by a part of their names in either case, by their layer, or all', () => {
    expect(chooseMutants(mutants, { namePart: 'FOR DOM', layer: undefined })).toEqual([mutants[1]]);
    expect(chooseMutants(mutants, { namePart: '', layer: 'unit' })).toEqual([mutants[0], mutants[2]]);
    expect(chooseMutants(mutants, { namePart: '', layer: undefined })).toEqual(mutants);
    expect(chooseMutants(mutants, { namePart: 'for dom', layer: 'unit' })).toEqual([]);
  });

  it('and their tests are each named once', () => {
    expect(partsOf(mutants)).toEqual([
      { layer: 'unit', path: 'test/unit/a/' },
      { layer: 'dom', path: 'test/dom/a/' },
    ]);
  });
});

it('a product is built for the tests that open it in a browser', () => {
  expect(needsProduct({ layer: 'e2e', path: 'test/e2e/' })).toBe(true);
  expect(needsProduct({ layer: 'browser', path: 'test/browser/ui/' })).toBe(true);
  expect(needsProduct({ layer: 'server', path: 'test/server/' })).toBe(false);
});
