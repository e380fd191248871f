import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteRangeOf } from '../../../../../server/http/kernel/byteRange.ts';

const FILE = { size: 1_000, etag: '"now"' };

describe('the range of a request', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=0-499', { from: 0, to: 499 }],
    ['Bytes=990-', { from: 990, to: 999 }],
    ['bytes=-10', { from: 990, to: 999 }],
    ['bytes=-5000', { from: 0, to: 999 }],
    ['bytes=500-99999999999999999999999999', { from: 500, to: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=99999999999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['lines=0-1', 'whole'],
    ['', 'whole'],
  ])('%j is %j', (range, expected) => {
    expect(byteRangeOf({ range }, FILE)).toEqual(expected);
  });

  it('is the whole without a header, and where the file is not the one that is meant', () => {
    expect(byteRangeOf({}, FILE)).toBe('whole');
    expect(byteRangeOf({ range: 'bytes=0-1', 'if-range': '"before"' }, FILE)).toBe('whole');
    expect(byteRangeOf({ range: 'bytes=0-1', 'if-range': 'Mon, 23 Nov 2026 09:00:00 GMT' }, FILE)).toBe('whole');
    expect(byteRangeOf({ range: 'bytes=0-1', 'if-range': '"now"' }, FILE)).toEqual({ from: 0, to: 1 });
  });

  it('never leads out of the file, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat({ max: 5_000 }), (text, first, last, size) => {
        for (const range of [`bytes=${text}`, `bytes=${first}-${last}`, `bytes=-${last}`]) {
          const part = byteRangeOf({ range }, { size, etag: '""' });
          if (typeof part === 'string') continue;
          expect(part.from).toBeGreaterThanOrEqual(0);
          expect(part.to).toBeGreaterThanOrEqual(part.from);
          expect(part.to).toBeLessThan(size);
        }
      }),
    );
  });
});
