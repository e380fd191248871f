import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../../shared/api/readRecord.ts';
import { CustomSource, faultsOfMatch } from '../../../../../shared/protocol/events/customSource.ts';

const match = { offset: 0, width: 1, mask: 0xff, value: 1 };
const item = { kind: 'position-item', itemId: 0xe1, match, form: 'held' };
const passthrough = { kind: 'passthrough', passthroughType: 0xf0, match: null };

describe('the source of a custom type', () => {
  it.each([
    item,
    { ...item, itemId: 0, form: 'momentary' },
    { ...item, itemId: 255, match: { offset: 250, width: 4, mask: 0xffffffff, value: 0xffffffff } },
    passthrough,
    { ...passthrough, passthroughType: 255, match },
  ])('may be %j, and is read as it was written', (source) => {
    expect(Check(CustomSource, source)).toBe(true);
    expect(readRecord(CustomSource, source)).toEqual(source);
  });

  it.each([
    { ...item, itemId: 256 },
    { ...item, itemId: -1 },
    { ...item, itemId: 1.5 },
    { ...item, form: 'begin' },
    { ...item, match: null },
    { ...item, match: { ...match, offset: 251 } },
    { ...item, match: { ...match, offset: -1 } },
    { ...item, match: { ...match, width: 0 } },
    { ...item, match: { ...match, width: 5 } },
    { ...item, match: { ...match, mask: 0x1_0000_0000 } },
    { ...item, match: { ...match, value: -1 } },
    { ...item, more: 1 },
    { ...passthrough, passthroughType: 256 },
    { ...passthrough, form: 'held' },
    { ...passthrough, match: undefined },
    { kind: 'can-frame' },
    {},
  ])('is never %j', (source) => {
    expect(Check(CustomSource, source)).toBe(false);
  });
});

describe('faultsOfMatch', () => {
  it.each([
    [{}, {}],
    [{ mask: 0, value: 0 }, {}],
    [{ width: 4, mask: 0xffffffff, value: 0x80000000 }, {}],
    [{ width: 3, mask: 0xffffff, value: 0 }, {}],
    [{ mask: 0x100 }, { mask: 'out-of-range' }],
    [{ width: 3, mask: 0x1000000 }, { mask: 'out-of-range' }],
    [{ mask: 0x0f, value: 0x10 }, { value: 'out-of-range' }],
    [{ mask: 0, value: 1 }, { value: 'out-of-range' }],
    [{ width: 4, mask: 0x7fffffff, value: 0x80000000 }, { value: 'out-of-range' }],
  ])('of %j are %j', (change, faults) => {
    expect(faultsOfMatch({ ...match, ...change })).toEqual(faults);
  });
});
