import { expect, it } from 'vitest';
import { Turns } from '../../../../server/device/turns.ts';

it('lets one step of one work run in each turn, in the order in which they asked', async () => {
  const later: (() => void)[] = [];
  const turns = new Turns((run) => later.push(run));
  const ran: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let step = 0; step < 2; step++) {
      await turns.next();
      ran.push(`${name}${step}`);
    }
  };
  const all = Promise.all([work('a'), work('b')]);
  for (const after of [['a0'], ['a0', 'b0'], ['a0', 'b0', 'a1'], ['a0', 'b0', 'a1', 'b1']]) {
    expect(later).toHaveLength(1);
    later.shift()?.();
    await Promise.resolve();
    expect(ran).toEqual(after);
  }
  await all;
  expect(later).toEqual([]);
});
