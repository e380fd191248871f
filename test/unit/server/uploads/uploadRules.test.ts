import { describe, expect, it } from 'vitest';
import { beginFault, repeatedBytes, SPARE_BYTES } from '../../../../server/uploads/uploadRules.ts';

const ROOM = { freeBytes: SPARE_BYTES + 1_000, maxBytes: 1_500 };
const wanted = (bytes: number) => ({ purpose: 'firmware', bytes }) as const;
const open = (userId: number, bytes = 0, receivedBytes = 0) => ({ userId, bytes, receivedBytes });

describe('an upload', () => {
  it('begins while there is room for what all have announced', () => {
    expect(beginFault(wanted(1_000), 1, [], ROOM)).toBeUndefined();
    expect(beginFault(wanted(1_001), 1, [], ROOM)).toBe('full');
    expect(beginFault(wanted(1_000), 1, [open(2, 400, 400)], ROOM)).toBeUndefined();
    expect(beginFault(wanted(1_000), 1, [open(2, 400, 399)], ROOM)).toBe('full');
    expect(beginFault(wanted(1_000), 1, [open(2, 501, 501)], ROOM)).toBe('full');
  });

  it('is one of three of its user', () => {
    expect(beginFault(wanted(1), 1, [open(1), open(1), open(2), open(2)], ROOM)).toBeUndefined();
    expect(beginFault(wanted(1), 1, [open(1), open(1), open(1)], ROOM)).toBe('too-many');
    expect(beginFault(wanted(512 * 1024 ** 2 + 1), 1, [], ROOM)).toBe('too-large');
  });

  it('takes parts that leave no gap and end in it', () => {
    expect(repeatedBytes({ offset: 10, length: 5 }, 10, 20)).toBe(0);
    expect(repeatedBytes({ offset: 8, length: 5 }, 10, 20)).toBe(2);
    expect(repeatedBytes({ offset: 0, length: 5 }, 10, 20)).toBe(5);
    expect(repeatedBytes({ offset: 11, length: 5 }, 10, 20)).toBeUndefined();
    expect(repeatedBytes({ offset: 10, length: 11 }, 10, 20)).toBeUndefined();
  });
});
