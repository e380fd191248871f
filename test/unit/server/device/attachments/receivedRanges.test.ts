import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReceivedRanges } from '../../../../../server/device/attachments/receivedRanges.ts';

describe('ReceivedRanges', () => {
  it('is complete when nothing is missing, in whatever order and how often it comes', () => {
    const range = fc.record({ offset: fc.nat(99), lengthBytes: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(range, { maxLength: 60 }), fc.integer({ min: 1, max: 100 }), (ranges, size) => {
        const received = new ReceivedRanges(size, 1_000);
        const has = new Set<number>();
        for (const { offset, lengthBytes } of ranges) {
          const isInside = offset + lengthBytes <= size;
          expect(received.takes(offset, lengthBytes)).toBe(isInside);
          if (!isInside) continue;
          received.add(offset, lengthBytes);
          for (let at = offset; at < offset + lengthBytes; at++) has.add(at);
        }
        const missing = received
          .missing(1_000)
          .flatMap(({ offset, lengthBytes }) => Array.from({ length: lengthBytes }, (_, at) => offset + at));
        const expected = Array.from({ length: size }, (_, at) => at).filter((at) => !has.has(at));
        expect(missing).toEqual(expected);
        expect(received.isComplete).toBe(expected.length === 0);
      }),
    );
  });

  it.each([
    [101, 1],
    [100, 1],
    [0, 101],
    [0xffffffff, 0xffffffff],
    [0, 0],
  ])('takes nothing outside the file: %i, %i bytes', (offset, lengthBytes) => {
    expect(new ReceivedRanges(100, 10).takes(offset, lengthBytes)).toBe(false);
  });

  it('remembers so many pieces and goes on with what joins them', () => {
    const received = new ReceivedRanges(1_000, 3);
    for (const offset of [0, 10, 20]) received.add(offset, 1);
    expect(received.takes(30, 1)).toBe(false);
    expect(received.takes(1, 9)).toBe(true);
    received.add(1, 9);
    expect(received.takes(30, 1)).toBe(true);
    expect(received.missing(1)).toEqual([{ offset: 11, lengthBytes: 9 }]);
  });

  it('has all of an empty file', () => {
    expect(new ReceivedRanges(0, 1).isComplete).toBe(true);
  });
});
