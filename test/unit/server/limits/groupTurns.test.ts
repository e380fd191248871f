import { describe, expect, it } from 'vitest';
import { GroupTurns } from '../../../../server/limits/groupTurns.ts';
import { settled } from '../device/jt808/fakeTerminal.ts';

/** Jobs that end when the test says so, in the order in which they began. */
function scene(width: number) {
  const turns = new GroupTurns(width);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, memberGroup: number): Promise<void> =>
    turns.run(memberGroup, () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    await settled();
  };
  return { turns, begun, ask, endNext };
}

describe('turns of member groups', () => {
  it('serve the group with one job next, however many another one has', async () => {
    const { begun, ask, endNext, turns } = scene(2);
    for (let at = 0; at < 50; at++) void ask(`a${at}`, 1);
    void ask('b', 2);
    expect([begun, turns.waitingCount]).toEqual([['a0', 'a1'], 49]);
    await endNext();
    expect(begun).toEqual(['a0', 'a1', 'b']);
  });

  it('go round between groups that all have more, each in the order of its own', async () => {
    const { begun, ask, endNext } = scene(1);
    for (const name of ['a0', 'a1', 'a2']) void ask(name, 1);
    for (const name of ['b0', 'b1']) void ask(name, 2);
    void ask('c0', 3);
    for (let at = 0; at < 5; at++) await endNext();
    expect(begun).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
  });

  it('are handed on by a job that fails, whose error is its caller’s', async () => {
    const { begun, ask, endNext, turns } = scene(1);
    const failed = turns.run(1, () => Promise.reject(new Error('no')));
    void ask('b', 2);
    await expect(failed).rejects.toThrow('no');
    await settled();
    expect(begun).toEqual(['b']);
    await endNext();
    expect(turns.waitingCount).toBe(0);
  });
});
