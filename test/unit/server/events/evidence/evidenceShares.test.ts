import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type HeldBytes,
  roomForClip,
  roomForMember,
  shareOfEvidence,
} from '../../../../../server/events/evidence/evidenceShares.ts';

const [A, B, C] = [1, 2, 3];
const TWO = { maximumBytes: 100, groups: 2 };

/** Held by members, and for events alone. */
const group = (memberGroup: number, memberBytes: number, clipBytes = 0): HeldBytes => {
  return { memberGroup, bytes: memberBytes + clipBytes, memberBytes };
};
const ofEach = (releases: unknown) => (releases instanceof Map ? Object.fromEntries(releases) : releases);

describe('the share of a member group in the space for evidence', () => {
  it('is an equal one, of as many as there are or hold something', () => {
    expect(shareOfEvidence([], { maximumBytes: 100, groups: 0 })).toBe(100);
    expect(shareOfEvidence([], TWO)).toBe(50);
    expect(shareOfEvidence([group(A, 50), group(B, 0, 50)], TWO)).toBe(50);
    expect(shareOfEvidence([group(A, 1), group(B, 1), group(C, 1)], TWO)).toBe(33);
  });

  it('is one of what is left by groups that hold more, and by what no group has', () => {
    expect(shareOfEvidence([group(A, 70)], { maximumBytes: 100, groups: 3 })).toBe(15);
    expect(shareOfEvidence([group(A, 60), group(B, 25)], { maximumBytes: 100, groups: 3 })).toBe(15);
    expect(shareOfEvidence([group(0, 40)], TWO)).toBe(30);
    expect(shareOfEvidence([group(0, 0, 40)], TWO)).toBe(50);
  });

  it('is nothing where more is held than there is room for', () => {
    expect(shareOfEvidence([group(A, 120)], TWO)).toBe(0);
    expect(shareOfEvidence([group(A, 60), group(B, 60)], TWO)).toBe(0);
    expect(shareOfEvidence([group(0, 120)], TWO)).toBe(0);
  });
});

describe('room for what a member holds', () => {
  it('is there up to the share, and what is beyond stays for others', () => {
    expect(roomForMember(A, [group(A, 50)], TWO)).toBe('free');
    expect(roomForMember(A, [group(A, 51)], TWO)).toBe('share-used');
    expect(roomForMember(B, [group(A, 50), group(B, 50)], TWO)).toBe('free');
  });

  it('is there beyond the share as long as half of the space is left for all', () => {
    const many = { maximumBytes: 100, groups: 20 };
    expect(roomForMember(A, [group(A, 50)], many)).toBe('free');
    expect(roomForMember(A, [group(A, 51)], many)).toBe('share-used');
    expect(roomForMember(A, [group(A, 30), group(B, 21)], many)).toBe('share-used');
    expect(roomForMember(C, [group(A, 49), group(B, 1), group(C, 2)], many)).toBe('free');
    expect(roomForMember(C, [group(A, 49), group(B, 1), group(C, 3)], many)).toBe('share-used');
    expect(ofEach(roomForMember(A, [group(A, 50), group(B, 0, 51)], many))).toEqual({ [B]: 1 });
  });

  it('is all there is for the only group', () => {
    const one = { maximumBytes: 100, groups: 1 };
    expect(roomForMember(A, [group(A, 100)], one)).toBe('free');
    expect(roomForMember(A, [group(A, 101)], one)).toBe('full');
  });

  it('is made by clips, of the groups that are furthest above their share', () => {
    expect(ofEach(roomForMember(B, [group(A, 10, 80), group(B, 20)], TWO))).toEqual({ [A]: 10 });
    const three = { maximumBytes: 90, groups: 3 };
    expect(ofEach(roomForMember(C, [group(A, 0, 60), group(B, 0, 40), group(C, 10)], three))).toEqual({ [A]: 20 });
    expect(ofEach(roomForMember(C, [group(A, 0, 50), group(B, 0, 50), group(C, 10)], three))).toEqual({
      [A]: 10,
      [B]: 10,
    });
  });

  it('is made by clips of the own group where no other has more', () => {
    expect(ofEach(roomForMember(A, [group(A, 50, 20), group(B, 0, 40)], TWO))).toEqual({ [A]: 10 });
    expect(ofEach(roomForMember(A, [group(A, 40, 70)], { maximumBytes: 100, groups: 1 }))).toEqual({ [A]: 10 });
  });

  it('is made by clips of devices that no group has, before those of others', () => {
    expect(ofEach(roomForMember(A, [group(A, 20), group(B, 0, 50), group(0, 0, 40)], TWO))).toEqual({ 0: 10 });
  });

  it('is less where another group holds more than its share since there were fewer', () => {
    expect(roomForMember(B, [group(A, 80), group(B, 20)], TWO)).toBe('free');
    expect(roomForMember(B, [group(A, 80), group(B, 21)], TWO)).toBe('full');
    expect(roomForMember(A, [group(A, 81)], TWO)).toBe('share-used');
  });
});

describe('room for the clip of an event', () => {
  it('is all that is free', () => {
    expect(roomForClip(A, [group(A, 50, 50)], TWO)).toBe('free');
    expect(roomForClip(0, [group(A, 50), group(0, 0, 50)], TWO)).toBe('free');
    expect(roomForClip(A, [group(A, 50, 51)], TWO)).toBe('full');
  });

  it('is made for a group below its share by clips of one above', () => {
    expect(ofEach(roomForClip(B, [group(A, 0, 100), group(B, 0, 50)], TWO))).toEqual({ [A]: 50 });
    expect(roomForClip(B, [group(A, 0, 100), group(B, 0, 51)], TWO)).toBe('full');
    expect(ofEach(roomForClip(B, [group(A, 0, 101)], TWO))).toEqual({ [A]: 1 });
  });

  it('is not made for what counts for no group', () => {
    expect(roomForClip(0, [group(A, 0, 101)], TWO)).toBe('full');
  });

  it('is not made by what members hold, nor by clips of a group that has its share alone', () => {
    expect(roomForClip(B, [group(A, 90), group(B, 0, 11)], TWO)).toBe('full');
    expect(ofEach(roomForClip(B, [group(A, 40, 30), group(B, 0, 31)], TWO))).toEqual({ [A]: 1 });
  });

  it('is there for every group within its share, and takes nothing that lies within the share of another', () => {
    const space = { maximumBytes: 999, groups: 3 };
    const upTo = (max: number) => fc.integer({ min: 0, max });
    const other = fc.tuple(upTo(333), upTo(1_500));
    fc.assert(
      fc.property(other, other, upTo(500), upTo(333), upTo(333), (a, b, ofNone, memberBytes, clipBytes) => {
        const others = [group(A, ...a), group(B, ...b), group(0, 0, ofNone)];
        for (const [room, held] of [
          [roomForMember, [...others, group(C, memberBytes, clipBytes)]],
          [roomForClip, [...others, group(C, memberBytes, Math.min(clipBytes, 333 - memberBytes))]],
        ] as const) {
          const found = room(C, held, space);
          const releases: ReadonlyMap<number, number> = found instanceof Map ? found : new Map();
          if (typeof found === 'string') expect(found).toBe('free');
          const left = held.map((each) => ({ ...each, bytes: each.bytes - (releases.get(each.memberGroup) ?? 0) }));
          expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(space.maximumBytes);
          for (const { memberGroup, bytes, memberBytes: kept } of left) {
            expect(bytes).toBeGreaterThanOrEqual(kept);
            if (memberGroup !== 0 && releases.has(memberGroup)) expect(bytes).toBeGreaterThanOrEqual(333);
          }
        }
      }),
    );
  });
});
