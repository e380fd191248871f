import { describe, expect, it } from 'vitest';
import { SeenFiles } from '../../../../server/backup/files/seenFiles.ts';

const report = (name: string) => ({ kind: 'report', name }) as const;

describe('files of an archive', () => {
  it('come once of each kind, in any order', () => {
    const seen = new SeenFiles();
    const names = ['b', 'a', 'c', 'a', 'c', 'b'];
    expect(names.map((name) => seen.isNew(report(name)))).toEqual([true, true, true, false, false, false]);
    expect(seen.isNew({ kind: 'event-media', name: 'a' })).toBe(true);
  });

  it('are as many as there are in the order of their names, and out of order no more than are remembered', () => {
    const seen = new SeenFiles(2);
    expect(['b', 'a', 'c', 'd', 'd'].map((name) => seen.isNew(report(name)))).toEqual([true, true, true, true, false]);
    expect([seen.isNew(report('aa')), seen.isNew(report('e'))]).toEqual([false, true]);
  });
});
