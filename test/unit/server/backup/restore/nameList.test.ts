import { expect, it } from 'vitest';
import { MAX_NAMES, nameList } from '../../../../../server/backup/restore/nameList.ts';

it('a list of names has the first of them, and says how many there are', () => {
  expect(nameList(['b', 'a'])).toEqual({ names: ['a', 'b'], count: 2 });
  const names = Array.from({ length: 5 * MAX_NAMES }, (_, at) => `m${String(at).padStart(4, '0')}`);
  expect(nameList(names.toReversed())).toEqual({ names: names.slice(0, MAX_NAMES), count: 5 * MAX_NAMES });
});
