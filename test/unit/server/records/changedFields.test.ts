import { expect, it } from 'vitest';
import { changedFields } from '../../../../server/records/changedFields.ts';

it('of a change the audit keeps the fields that differ', () => {
  const before = { name: 'a', groups: [1], notes: undefined, gone: 1 };
  expect(changedFields(before, { name: 'a', groups: [1, 2], notes: 'n' })).toEqual({
    before: { groups: [1], gone: 1 },
    after: { groups: [1, 2], notes: 'n' },
  });
});
