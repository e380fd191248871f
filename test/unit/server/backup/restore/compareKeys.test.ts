import { describe, expect, it } from 'vitest';
import { type Compared, KeyComparison, type KeyedRow } from '../../../../../server/backup/restore/compareKeys.ts';
import type { CellType } from '../../../../../server/store/backup/cells.ts';

type Key = KeyedRow['key'];

async function* rowsOf(keys: readonly Key[]): AsyncGenerator<KeyedRow> {
  for (const key of keys) yield { key, name: `n${key.join()}` };
}

async function compare(present: readonly Key[], archived: readonly Key[], ...types: readonly CellType[]) {
  const removed: string[] = [];
  const onRemoved = (name: string): void => void removed.push(name);
  const comparison = new KeyComparison({ types, present: rowsOf(present), onRemoved });
  for (const key of archived) await comparison.take(key);
  return { compared: await comparison.finish(), removed };
}

const keys = (...all: readonly (number | string)[]): Key[] => all.map((each) => [each]);
const counts = (added: number, kept: number, removed: number): Compared => ({ added, kept, removed });

describe('rows of two databases', () => {
  it.each([
    ['alike', keys(1, 2), keys(1, 2), counts(0, 2, 0)],
    ['none here', [], keys(1, 2), counts(2, 0, 0)],
    ['none there', keys(1, 2), [], counts(0, 0, 2)],
    ['others here and there', keys(1, 2, 3, 7), keys(2, 3, 4, 5), counts(2, 2, 2)],
  ])('are told apart by their keys: %s', async (_, present, archived, expected) => {
    expect((await compare(present, archived, 'integer')).compared).toEqual(expected);
  });

  it('are named where they are here alone', async () => {
    expect((await compare(keys(1, 2, 5), keys(2, 3), 'integer')).removed).toEqual(['n1', 'n5']);
  });

  it('come in the order of numbers, also of those that are digits', async () => {
    const large = ['9007199254740993', '9007199254740994'] as const;
    const present = keys(9, 10, ...large);
    expect((await compare(present, keys(9, 10, large[1]), 'integer')).compared).toEqual(counts(0, 3, 1));
  });

  it('come in the order of bytes where keys are texts', async () => {
    // By the units of strings the second one comes first.
    const present = keys('a', '\uff5e', '\u{1f600}');
    expect((await compare(present, keys('\uff5e', '\u{1f600}'), 'text')).compared).toEqual(counts(0, 2, 1));
  });

  it('have keys of several columns, whose values do not run into one another', async () => {
    const outcome = await compare([['x', 'y,z']], [['x,y', 'z']], 'text', 'text');
    expect(outcome.compared).toEqual(counts(1, 0, 1));
  });

  it.each([
    ['another order', keys(2, 1)],
    ['a key twice', keys(1, 1)],
  ])('are not compared where the archive has %s', async (_, archived) => {
    expect((await compare(keys(1, 2), archived, 'integer')).compared).toBeUndefined();
  });
});
