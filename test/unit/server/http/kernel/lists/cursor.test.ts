import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CURSOR_LENGTH, readCursor, writeCursor } from '../../../../../../server/http/kernel/lists/cursor.ts';
import { isStorable } from '../../../../../../server/http/kernel/storableTexts.ts';

const NEWEST = { sort: 'at', descending: true } as const;
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const value = fc.oneof(fc.string({ unit: 'binary' }).filter(isStorable), fc.maxSafeInteger());

describe('a cursor', () => {
  it('gives back the place that it was written for', () => {
    const values = fc.array(value, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(values, fc.boolean(), (place, descending) => {
        const cursor = writeCursor({ sort: 'name', descending }, place);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(readCursor({ sort: 'name', descending }, cursor)).toEqual(JSON.parse(JSON.stringify(place)));
      }),
    );
  });

  it('fits in a request although each character of the longest value takes six', () => {
    expect(writeCursor(NEWEST, ['\u0001'.repeat(256), 1e15, '\u0001'.repeat(256)]).length).toBeLessThan(
      MAX_CURSOR_LENGTH,
    );
  });

  it('is a place in its own order alone', () => {
    const cursor = writeCursor(NEWEST, [5, 1]);
    expect(readCursor({ sort: 'at', descending: false }, cursor)).toBeUndefined();
    expect(readCursor({ sort: 'actor', descending: true }, cursor)).toBeUndefined();
  });

  it.each([
    ['no base64', '§§§'],
    ['nothing', ''],
    ['no JSON', Buffer.from('[at').toString('base64url')],
    ['no UTF-8', Buffer.from([0x5b, 0xff, 0xfe]).toString('base64url')],
    ['a text', encoded('at')],
    ['a number', encoded(7)],
    ['null', encoded(null)],
    ['an object', encoded({ 0: 'at', 1: 1, 2: 5, length: 3 })],
    ['an empty list', encoded([])],
    ['no value', encoded(['at', 1])],
    ['too many values', encoded(['at', 1, 1, 2, 3, 4, 5])],
    ['a flag for a direction', encoded(['at', true, 5])],
    ['a list for an order', encoded([['at'], 1, 5])],
    ['a list for a value', encoded(['at', 1, [5]])],
    ['lists in lists', encoded(['at', 1, JSON.parse('['.repeat(400) + ']'.repeat(400))])],
    ['an object for a value', encoded(['at', 1, { toString: 'x' }])],
    ['null for a value', encoded(['at', 1, null])],
    ['a flag for a value', encoded(['at', 1, true])],
    ['a fraction', encoded(['at', 1, 0.5])],
    ['a huge number', Buffer.from('["at",1,1e400]').toString('base64url')],
    ['a number that is not exact', encoded(['at', 1, 2 ** 53])],
    ['U+0000', encoded(['at', 1, 'a\u0000'])],
    ['half a pair of surrogates', Buffer.from('["at",1,"\\ud800"]').toString('base64url')],
  ])('is refused that holds %s', (_, cursor) => {
    expect(readCursor(NEWEST, cursor)).toBeUndefined();
  });

  it('never throws, and gives nothing but storable texts and exact numbers', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map(encoded),
      fc.array(fc.jsonValue(), { maxLength: 5 }).map((values) => encoded(['at', 1, ...values])),
    );
    fc.assert(
      fc.property(hostile, (cursor) => {
        for (const each of readCursor(NEWEST, cursor) ?? [])
          expect(typeof each === 'string' ? isStorable(each) : Number.isSafeInteger(each)).toBe(true);
      }),
    );
  });
});
