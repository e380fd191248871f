import { describe, expect, it } from 'vitest';
import { beginFault, hasRoomFor, repeatedBytes, SPARE_BYTES } from '../../../../server/uploads/uploadRules.ts';

const ROOM = { freeBytes: SPARE_BYTES + 1_000, maxBytes: 1_500 };
const wanted = (bytes: number) => ({ purpose: 'firmware', bytes }) as const;
const open = (userId: number, bytes = 0, receivedBytes = 0) => ({ userId, bytes, receivedBytes });

describe('an upload', () => {
  it('begins while there is room beside what has come of all', () => {
    expect(beginFault(wanted(1_000), 1, [], ROOM)).toBeUndefined();
    expect(beginFault(wanted(1_001), 1, [], ROOM)).toBe('full');
    expect(beginFault(wanted(1_000), 1, [open(2, 900, 500)], ROOM)).toBeUndefined();
    expect(beginFault(wanted(1_000), 1, [open(2, 900, 501)], ROOM)).toBe('full');
  });

  it('begins whatever others have announced and never sent', () => {
    const nothingCame = [open(2, 1_500), open(2, 1_500), open(3, 1_500), open(1, 1_500)];
    expect(beginFault(wanted(1_000), 1, nothingCame, ROOM)).toBeUndefined();
  });

  it('goes on while what comes fits beside what has come', () => {
    expect(hasRoomFor(500, [open(1, 9_999, 1_000)], ROOM)).toBe(true);
    expect(hasRoomFor(501, [open(1, 9_999, 1_000)], ROOM)).toBe(false);
    expect(hasRoomFor(11, [], { ...ROOM, freeBytes: SPARE_BYTES + 10 })).toBe(false);
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
