import { describe, expect, test } from 'vitest';
import { differences, mergedRecord, proposedSide } from '../../../../../shared/ui/form/mergeRecords.ts';

const base = { name: 'Truck', plate: 'A', notes: '', groups: [1] };
const names = ['name', 'plate', 'notes', 'groups'] as const;
const versions = (mine: Partial<typeof base>, theirs: Partial<typeof base>) => ({
  base,
  mine: { ...base, ...mine },
  theirs: { ...base, ...theirs },
});

describe('two changes of one record', () => {
  test('that touch different fields dispute nothing: both hold', () => {
    const three = versions({ name: 'Bus' }, { plate: 'B' });
    const found = differences(three, names);
    expect(found).toEqual([{ name: 'plate', isDisputed: false }]);
    expect(mergedRecord(three, found, {})).toEqual({ ...base, name: 'Bus', plate: 'B' });
  });

  test('of one field are for the user to decide, and theirs is not taken unasked', () => {
    const three = versions({ name: 'Bus' }, { name: 'Ship', notes: 'n' });
    const found = differences(three, names);
    expect(found.map(proposedSide)).toEqual(['mine', 'theirs']);
    expect(mergedRecord(three, found, {})).toEqual({ ...base, name: 'Bus', notes: 'n' });
    expect(mergedRecord(three, found, { name: 'theirs', notes: 'mine' })).toEqual({ ...base, name: 'Ship' });
  });

  test('to the same are no difference', () => {
    expect(differences(versions({ groups: [1, 2] }, { groups: [1, 2] }), names)).toEqual([]);
  });

  test('are looked at in the fields that the form has', () => {
    expect(differences(versions({}, { notes: 'n' }), ['name'])).toEqual([]);
  });
});
