import { describe, expect, it } from 'vitest';
import { gatherWrites } from '../../../../../server/store/engine/gatherWrites.ts';

interface Item {
  readonly key: string;
  readonly value: number;
}

/** A database whose transactions are ended by hand. */
function transactions(joins?: (first: Item, other: Item) => boolean) {
  const begun: { readonly values: readonly number[]; commit: () => void; fail: (error: Error) => void }[] = [];
  const write = gatherWrites<Item>({
    write: (items) =>
      new Promise<void>((commit, fail) => {
        begun.push({ values: items.map(({ value }) => value), commit, fail });
      }),
    keyOf: ({ key }) => key,
    joins,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, write, settled };
}

describe('writes that are gathered', () => {
  it('of one task are one transaction; what comes meanwhile is the next one', async () => {
    const { begun, write, settled } = transactions();
    const first = Promise.all([write({ key: 'a', value: 1 }), write({ key: 'b', value: 2 })]);
    await settled();
    const later = write({ key: 'c', value: 3 });
    await settled();
    expect(begun.map(({ values }) => values)).toEqual([[1, 2]]);
    begun[0]?.commit();
    await first;
    await settled();
    expect(begun.map(({ values }) => values)).toEqual([[1, 2], [3]]);
    begun[1]?.commit();
    await later;
  });

  it('of one key keep their order, one transaction for each', async () => {
    const { begun, write, settled } = transactions();
    const done = Promise.all([1, 2, 3].map((value) => write({ key: 'a', value })));
    for (const at of [0, 1, 2]) {
      await settled();
      begun[at]?.commit();
    }
    await done;
    expect(begun.map(({ values }) => values)).toEqual([[1], [2], [3]]);
  });

  it('join only what is like the first', async () => {
    const { begun, write, settled } = transactions((first, other) => first.value % 2 === other.value % 2);
    const done = Promise.all([1, 2, 3].map((value) => write({ key: String(value), value })));
    for (const at of [0, 1]) {
      await settled();
      begun[at]?.commit();
    }
    await done;
    expect(begun.map(({ values }) => values)).toEqual([[1, 3], [2]]);
  });

  it('that fail together are tried alone: none fails for another', async () => {
    const { begun, write, settled } = transactions();
    const outcomes = Promise.allSettled([write({ key: 'a', value: 1 }), write({ key: 'b', value: 2 })]);
    await settled();
    begun[0]?.fail(new Error('together'));
    await settled();
    begun[1]?.commit();
    await settled();
    begun[2]?.fail(new Error('no b'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(begun.map(({ values }) => values)).toEqual([[1, 2], [1], [2]]);
  });

  it('are transactions of 50 at most', async () => {
    const { begun, write, settled } = transactions();
    const done = Promise.all(Array.from({ length: 51 }, (_, value) => write({ key: String(value), value })));
    await settled();
    begun[0]?.commit();
    await settled();
    begun[1]?.commit();
    await done;
    expect(begun.map(({ values }) => values.length)).toEqual([50, 1]);
  });
});
