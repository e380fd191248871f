import { describe, expect, test } from 'vitest';
import { isSelected, queryOfView, viewOfQuery } from '../../../../pages/innerpage/eventconfig/place/configAddress.ts';
import { branchOf, groupOptions } from '../../../../shared/ui/table/groupOptions.ts';

describe('the address', () => {
  test.each([
    '',
    'scope=group',
    'scope=group&group=12',
    'scope=device',
    'scope=device&deviceid=BUS+1',
    'scope=device&deviceid=BUS1&tab=limits',
  ])('says which place is shown: %j', (query) => {
    expect(queryOfView(viewOfQuery(query))).toBe(query);
  });

  test.each([
    ['scope=fleet', ''],
    ['scope=group&group=north', 'scope=group'],
    ['scope=group&group=0', 'scope=group'],
    ['scope=group&group=3&deviceid=BUS1&tab=limits', 'scope=group&group=3'],
    ['scope=device&deviceid=BUS1&tab=else', 'scope=device&deviceid=BUS1'],
    ['group=3&tab=limits', ''],
  ])('keeps nothing of what it does not know: %j', (query, known) => {
    expect(queryOfView(viewOfQuery(query))).toBe(known);
  });

  test('of a group or a device needs one', () => {
    const queries = ['', 'scope=group', 'scope=group&group=1', 'scope=device', 'scope=device&deviceid=A'];
    expect(queries.map((query) => isSelected(viewOfQuery(query).place))).toEqual([true, false, true, false, true]);
  });
});

describe('the groups', () => {
  const groups = [
    { id: 1, name: 'North', parent: null },
    { id: 2, name: 'South', parent: null },
    { id: 3, name: 'Harbor', parent: 1 },
    { id: 4, name: 'Pier 2', parent: 3 },
  ];

  test('are listed below the groups that they lie in, further in each time', () => {
    expect(groupOptions(groups).map(({ label, name, level }) => [label, name, level])).toEqual([
      ['North', 'North', 0],
      ['North / Harbor', 'Harbor', 1],
      ['North / Harbor / Pier 2', 'Pier 2', 2],
      ['South', 'South', 0],
    ]);
  });

  test('reach as far as the groups beneath them', () => {
    expect([...branchOf(groups, 1)]).toEqual([1, 3, 4]);
    expect([...branchOf(groups, 2)]).toEqual([2]);
  });
});
