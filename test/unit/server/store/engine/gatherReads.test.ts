import { describe, expect, it } from 'vitest';
import { gatherReads } from '../../../../../server/store/engine/gatherReads.ts';

/** A database whose statements are answered by hand. */
function statements() {
  const asked: { readonly keys: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const rows = new Map<number, string>();
  const read = gatherReads(
    (keys: readonly number[]) =>
      new Promise<ReadonlyMap<number, string>>((resolve, reject) => {
        asked.push({ keys, answer: () => resolve(new Map(rows)), fail: reject });
      }),
  );
  return { asked, rows, read, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

describe('reads that are gathered', () => {
  it('of one task are one statement, each with its own answer', async () => {
    const { asked, rows, read, settled } = statements();
    rows.set(1, 'one').set(2, 'two');
    const answers = [read(1), read(2), read(3), read(1)];
    await settled();
    expect(asked.map(({ keys }) => keys)).toEqual([[1, 2, 3, 3]]);
    asked[0]?.answer();
    expect(await Promise.all(answers)).toEqual(['one', 'two', undefined, 'one']);
  });

  it('see what was written before they were asked for, also while a statement is under way', async () => {
    const { asked, rows, read, settled } = statements();
    rows.set(1, 'before');
    const first = read(1);
    await settled();
    asked[0]?.answer();
    rows.set(1, 'after');
    const second = read(1);
    expect(await first).toBe('before');
    await settled();
    expect(asked).toHaveLength(2);
    asked[1]?.answer();
    expect(await second).toBe('after');
  });

  it('fail together with their statement, and later ones do not', async () => {
    const { asked, rows, read, settled } = statements();
    const failed = Promise.allSettled([read(1), read(2)]);
    await settled();
    const later = read(2);
    asked[0]?.fail(new Error('away'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    rows.set(2, 'two');
    await settled();
    asked[1]?.answer();
    expect(await later).toBe('two');
  });

  it('are statements of 500 keys at most, one after another', async () => {
    const { asked, read, settled } = statements();
    const answers = Promise.all(Array.from({ length: 501 }, (_, key) => read(key)));
    await settled();
    expect(new Set(asked[0]?.keys).size).toBe(500);
    expect(asked).toHaveLength(1);
    asked[0]?.answer();
    await settled();
    expect(asked[1]?.keys).toEqual([500]);
    asked[1]?.answer();
    await answers;
  });
});
