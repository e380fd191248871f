import { describe, expect, it } from 'vitest';
import { inTurn, type PlacedFile } from '../../../support/runner/fileOrder.ts';
import { readFileSeconds, withTimes } from '../../../support/runner/fileSeconds.ts';

const file = (project: string, path: string): PlacedFile => ({ project, path });

describe('the order of test files', () => {
  it('goes from project to project, and within one from the longest file to those that nobody has measured', () => {
    const files = [
      file('unit', 'u'),
      file('e2e', 'new'),
      file('server', 's'),
      file('e2e', 'short'),
      file('e2e', 'long'),
    ];
    const seconds = { long: 40, short: 3, s: 90 };
    const paths = files.toSorted((one, other) => inTurn(one, other, seconds)).map(({ path }) => path);
    expect(paths).toEqual(['long', 'short', 'new', 's', 'u']);
  });
});

describe('what files took', () => {
  it('is kept for those of the run, and as it was for the others', () => {
    const times = [
      { file: 'b', ms: 4_400 },
      { file: 'quick now', ms: 900 },
      { file: 'a', ms: 12_600 },
    ];
    expect(withTimes({ 'not in the run': 7, 'quick now': 9, b: 2 }, times)).toEqual({
      a: 13,
      b: 4,
      'not in the run': 7,
    });
  });

  it('is known in every clone', () => {
    expect(Object.keys(readFileSeconds()).length).toBeGreaterThan(30);
  });
});
