import { describe, expect, it } from 'vitest';
import { slowestFiles } from '../../../support/runner/slowestFiles.ts';

describe('the slowest files of a run', () => {
  it('are named with their seconds, the slowest first', () => {
    const times = [
      { file: 'a.test.ts', ms: 90 },
      { file: 'b.test.ts', ms: 123_456 },
    ];
    expect(slowestFiles(times)).toEqual(['Slowest files:', '  123.5 s  b.test.ts', '    0.1 s  a.test.ts']);
  });

  it('are twenty at most', () => {
    const times = Array.from({ length: 30 }, (_, at) => ({ file: `${at}.test.ts`, ms: at * 1_000 }));
    const lines = slowestFiles(times);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('   10.0 s  10.test.ts');
  });

  it('are not spoken of in a run of none', () => {
    expect(slowestFiles([])).toEqual([]);
  });
});
