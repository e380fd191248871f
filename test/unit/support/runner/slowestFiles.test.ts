import { describe, expect, it } from 'vitest';
import { secondsOfProjects, slowestFiles } from '../../../support/runner/slowestFiles.ts';

describe('the slowest files of a run', () => {
  it('are named with their seconds, the slowest first', () => {
    const times = [
      { file: 'a.test.ts', project: 'unit', ms: 90 },
      { file: 'b.test.ts', project: 'unit', ms: 123_456 },
    ];
    expect(slowestFiles(times)).toEqual(['Slowest files:', '  123.5 s  b.test.ts', '    0.1 s  a.test.ts']);
  });

  it('are twenty at most', () => {
    const times = Array.from({ length: 30 }, (_, at) => ({ file: `${at}.test.ts`, project: '', ms: at * 1_000 }));
    const lines = slowestFiles(times);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('   10.0 s  10.test.ts');
  });

  it('are not spoken of in a run of none', () => {
    expect(slowestFiles([])).toEqual([]);
  });
});

describe('what the projects took', () => {
  it('is the sum over their files', () => {
    const times = [
      { file: 'a.test.ts', project: 'unit', ms: 1_500 },
      { file: 'b.test.tsx', project: 'dom', ms: 20_000 },
      { file: 'c.test.ts', project: 'unit', ms: 500 },
    ];
    expect(secondsOfProjects(times)).toEqual([
      'Projects, summed over their files:',
      '    2.0 s  unit (2 files)',
      '   20.0 s  dom (1 files)',
    ]);
  });

  it('is not spoken of where there is one', () => {
    expect(secondsOfProjects([{ file: 'a.test.ts', project: '', ms: 1_500 }])).toEqual([]);
  });
});
