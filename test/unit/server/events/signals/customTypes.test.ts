import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../../../server/events/signals/observation.ts';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import type { BytesMatch, CustomForm } from '../../../../../shared/protocol/events/customSource.ts';
import { ofHex } from '../../device/jt808/codec/vectors.ts';
import { item, messageReport, openAfter, positionReport } from './reports.ts';

const ANY: BytesMatch = { offset: 0, width: 1, mask: 0, value: 0 };

function itemType(code: string, itemId: number, match: BytesMatch, form: CustomForm = 'held') {
  return { code, source: { kind: 'position-item', itemId, match, form } } as const;
}

function passthroughType(code: string, type: number, match: BytesMatch | null = null) {
  return { code, source: { kind: 'passthrough', passthroughType: type, match } } as const;
}

function isFound(match: BytesMatch, hex: string): boolean {
  return new CustomTypes([itemType('mine', 0xe1, match)]).itemSignals([item(0xe1, hex)]).length === 1;
}

describe('bytes of a position item', () => {
  it.each([
    ['one byte', { offset: 0, width: 1, mask: 0xff, value: 0x2a }, '2a', '2b'],
    ['a bit of one', { offset: 0, width: 1, mask: 0x80, value: 0x80 }, '81', '7f'],
    ['a bit that is off', { offset: 0, width: 1, mask: 0x80, value: 0 }, '7f', '80'],
    ['two, the high one first', { offset: 0, width: 2, mask: 0xffff, value: 0x0102 }, '0102', '0201'],
    ['three', { offset: 1, width: 3, mask: 0xffffff, value: 0xfffefd }, '00fffefd', '00fdfeff'],
    ['four with the highest bit', { offset: 0, width: 4, mask: 0xffffffff, value: 0xfffefdfc }, 'fffefdfc', '7ffefdfc'],
    ['the highest bit of four', { offset: 0, width: 4, mask: 0x80000000, value: 0x80000000 }, '80000000', '7fffffff'],
    ['what lies behind', { offset: 2, width: 1, mask: 0xff, value: 3 }, '010203ff', '030203'.slice(0, 4)],
    ['any, if there are enough', { offset: 1, width: 2, mask: 0, value: 0 }, 'ffffff', 'ffff'],
  ])('%s', (_, match, found, other) => {
    expect([isFound(match, found), isFound(match, other)]).toEqual([true, false]);
  });

  it('are looked for to the end of the longest item and not beyond', () => {
    const match = { offset: 250, width: 4, mask: 0xffffffff, value: 0x01020304 };
    expect(isFound(match, `${'00'.repeat(250)}01020304`)).toBe(true);
    expect(isFound(match, `${'00'.repeat(250)}0102030405`)).toBe(true);
    expect(isFound(match, `${'00'.repeat(250)}010203`)).toBe(false);
    expect(isFound(match, '')).toBe(false);
  });

  it('never fail, whatever the bytes are', () => {
    const match = fc.record({
      offset: fc.integer({ min: 0, max: 250 }),
      width: fc.integer({ min: 1, max: 4 }),
      mask: fc.integer({ min: 0, max: 0xffffffff }),
      value: fc.integer({ min: 0, max: 0xffffffff }),
    });
    fc.assert(
      fc.property(match, fc.uint8Array({ maxLength: 255 }), (any, bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        const number = Number.parseInt(hex.slice(any.offset * 2, (any.offset + any.width) * 2) || '0', 16);
        const isLongEnough = bytes.length >= any.offset + any.width;
        const expected = isLongEnough && Number(BigInt(number) & BigInt(any.mask)) === any.value;
        expect(isFound(any, hex)).toBe(expected);
      }),
    );
  });
});

describe('custom types', () => {
  it('are found by the item of their id alone', () => {
    const types = new CustomTypes([itemType('mine', 0xe1, ANY), itemType('other', 0xe2, ANY)]);
    expect(types.itemSignals([item(0xe1, '00'), item(0x30, '00')])).toEqual([
      { type: 'mine', unit: 0, area: 0, form: 'held', origin: Origin.Custom },
    ]);
    expect([types.watches([item(0xe2, '00')]), types.watches([item(0x30, '00')])]).toEqual([true, false]);
    expect(new CustomTypes([passthroughType('mine', 0xf0)]).watches([item(0xf0, '00')])).toBe(false);
  });

  it('may share an item, also with a built-in type', () => {
    const loss = { offset: 3, width: 1, mask: 1, value: 1 };
    const types = new CustomTypes([itemType('front', 0x15, loss), itemType('any', 0x15, ANY, 'momentary')]);
    const { signals } = observationOf(positionReport({ items: [item(0x15, '00000001')] }), types) ?? {};
    expect(signals?.map(({ type, form }) => [type, form])).toEqual([
      ['video-loss', 'held'],
      ['front', 'held'],
      ['any', 'momentary'],
    ]);
  });

  it('are said once where an item comes several times, be it one of them', () => {
    const types = new CustomTypes([itemType('mine', 0xe1, { offset: 0, width: 1, mask: 0xff, value: 2 })]);
    expect(types.itemSignals([item(0xe1, '01'), item(0xe1, '02'), item(0xe1, '02'), item(0xe1, '03')])).toHaveLength(1);
  });

  it('that are held end with the value, and with the item', () => {
    const types = new CustomTypes([itemType('mine', 0xe1, { offset: 0, width: 1, mask: 1, value: 1 })]);
    const observed = (hex?: string) =>
      observationOf(positionReport({ items: hex === undefined ? [] : [item(0xe1, hex)] }), types);
    expect(openAfter([observed('01'), observed('03')])).toEqual(['mine']);
    expect(openAfter([observed('01'), observed('02')])).toEqual([]);
    expect(openAfter([observed('01'), observed()])).toEqual([]);
  });

  it('end when nobody looks for them any more', () => {
    const report = positionReport({ items: [item(0xe1, '01')] });
    const before = new CustomTypes([itemType('mine', 0xe1, ANY)]);
    expect(openAfter([observationOf(report, before), observationOf(report, new CustomTypes([]))])).toEqual([]);
  });
});

describe('passthrough messages', () => {
  const second = { offset: 1, width: 1, mask: 0xff, value: 2 };
  const types = new CustomTypes([passthroughType('any', 0xf0), passthroughType('second', 0xf0, second)]);
  const observed = (type: number, hex: string) =>
    observationOf(messageReport({ kind: 'passthroughUp', type, data: ofHex(hex) }), types);

  it.each([
    [0xf0, '0102', ['any', 'second']],
    [0xf0, '0103', ['any']],
    [0xf0, '02', ['any']],
    [0xf0, '', ['any']],
  ])('of type %i with %j are %j', (type, hex, expected) => {
    const found = observed(type, hex)?.signals ?? [];
    expect(found.map((signal) => signal.type)).toEqual(expected);
    expect(found.every(({ form, origin }) => form === 'momentary' && origin === Origin.Custom)).toBe(true);
  });

  it('that nobody looks for say nothing', () => {
    expect(observed(0xf1, '0102')).toBeUndefined();
  });

  it('end nothing that a position holds', () => {
    expect(observed(0xf0, '0102')?.covered).toBe(0);
  });
});
