// What decoders make of them: test/server/device/gradualRefresh.test.ts.
import { describe, expect, it } from 'vitest';
import { canBeGrey, greyPictures } from '../../../../../../shared/protocol/codec/video/greyPictures.ts';
import { parseSps, type Sps } from '../../../../../../shared/protocol/codec/video/sps.ts';
import { sequenceSet } from '../../../../../support/media/slices.ts';

const sps = parseSps(sequenceSet()) as Sps;

describe('grey pictures', () => {
  it('are one for each reference that a decoder holds', () => {
    expect(greyPictures(sps, { pictureSetId: 255, idrNumber: 2 })).toHaveLength(4);
  });

  it('are made of what cameras send, up to 4,096 by 2,304, whatever size a sequence set claims', () => {
    expect(canBeGrey(sps)).toBe(true);
    expect(canBeGrey({ ...sps, macroblocks: 256 * 144 })).toBe(true);
    expect(canBeGrey({ ...sps, macroblocks: 256 * 145 })).toBe(false);
    expect(canBeGrey({ ...sps, macroblocks: 2 ** 64 })).toBe(false);
  });

  it('are made of no fields, no full colour, no order that is told by other means, and no more references than there may be', () => {
    expect(canBeGrey({ ...sps, slices: { ...sps.slices, mayBeFields: true } })).toBe(false);
    expect(canBeGrey({ ...sps, samples: { ...sps.samples, chromaFormat: 3 } })).toBe(false);
    expect(canBeGrey({ ...sps, pocType: 1 })).toBe(false);
    expect(canBeGrey({ ...sps, maxRefFrames: 17 })).toBe(false);
  });
});
