import { expect, it } from 'vitest';
import { evenSized } from '../../../../../server/store/engine/evenSized.ts';

it.each([
  [[], []],
  [['a'], ['a']],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'b', 'c'],
    ['a', 'b', 'c', 'c'],
  ],
  [
    ['a', 'b', 'c', 'd', 'e'],
    ['a', 'b', 'c', 'd', 'e', 'e', 'e', 'e'],
  ],
])('a list of %j becomes %j', (items, expected) => {
  expect(evenSized(items)).toEqual(expected);
});
