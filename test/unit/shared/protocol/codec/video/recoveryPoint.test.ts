import { describe, expect, it } from 'vitest';
import {
  isReferencePicture,
  MAX_RECOVERY_FRAMES,
  RecoveryCount,
  recoveryFramesIn,
  recoveryFramesOf,
} from '../../../../../../shared/protocol/codec/video/recoveryPoint.ts';
import { accessUnit, recoveryPoint, SliceType, sliceOf } from '../../../../../support/media/slices.ts';

const reference = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 1, order: 2 }));
const other = accessUnit(sliceOf({ type: SliceType.B, frameNumber: 1, order: 2, isReference: false }));
const entryOf = (frames: number) =>
  accessUnit(recoveryPoint(frames), ...[sliceOf({ type: SliceType.P, frameNumber: 0, order: 0 })]);

describe('a recovery point message', () => {
  it.each([0, 1, 22, 249, 65_535])('says how many frames it takes until pictures are right (%i)', (frames) => {
    expect(recoveryFramesIn(entryOf(frames))).toBe(frames);
  });

  it('is found behind other messages of its unit', () => {
    const bytes = Uint8Array.of(6, 5, 2, 0xaa, 0xbb, 6, 2, 0x04, 0xe2, 0x80);
    expect(recoveryFramesOf({ type: 6, bytes })).toBe(38);
  });

  it.each([[[6]], [[6, 6]], [[6, 6, 200]], [[6, 0xff, 0xff]], [[6, 6, 1, 0]]])('is none in damage %j', (bytes) => {
    expect(recoveryFramesOf({ type: 6, bytes: Uint8Array.from(bytes) })).toBeUndefined();
  });

  it('is none in a picture without one', () => {
    expect(recoveryFramesIn(reference)).toBeUndefined();
    expect(recoveryFramesIn(new Uint8Array())).toBeUndefined();
  });
});

describe('RecoveryCount', () => {
  it('counts the pictures that others refer to', () => {
    const count = new RecoveryCount(entryOf(2));
    const passed = [other, reference, other, other, reference, other].map((picture) => {
      count.pass(picture);
      return count.isOver;
    });
    expect(passed).toEqual([false, false, false, false, true, true]);
  });

  it('comes to an end with every number that a message may name', () => {
    const count = new RecoveryCount(entryOf(60_000));
    for (let frame = 1; frame < MAX_RECOVERY_FRAMES; frame++) count.pass(reference);
    expect(count.isOver).toBe(false);
    count.pass(reference);
    expect(count.isOver).toBe(true);
  });

  it('tells references by their first slice, behind sets and messages', () => {
    expect([reference, other, entryOf(3), new Uint8Array()].map(isReferencePicture)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
