import { describe, expect, it } from 'vitest';
import { LateEntry } from '../../../../../../shared/protocol/codec/video/lateEntry.ts';
import { splitNalUnits } from '../../../../../../shared/protocol/codec/video/nalUnits.ts';
import { Codec, type Dependence } from '../../../../../../shared/protocol/stream/streamPacket.ts';
import { accessUnit, pictureSet, SliceType, sequenceSet, sliceOf } from '../../../../../support/media/slices.ts';

const entryBytes = accessUnit(sequenceSet(), pictureSet(), sliceOf({ type: SliceType.I, frameNumber: 4, order: 20 }));
const deltaBytes = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 5, order: 30, markings: [[1, 3]] }));
const leadingBytes = accessUnit(sliceOf({ type: SliceType.B, frameNumber: 5, order: 18, isReference: false }));

const IDR = 5;

function setUp(codec: number = Codec.H264) {
  const late = new LateEntry();
  const take = (bytes: Uint8Array<ArrayBuffer>, key: boolean, dependence?: Dependence, isAlone = false) =>
    late.take({ codec, key, dependence, mediaTimeUs: 0 }, bytes, isAlone)?.bytes;
  return {
    cleanCut: () => take(entryBytes, true),
    entry: (isAlone = false) => take(entryBytes, true, 'entry', isAlone),
    delta: () => take(deltaBytes, false),
    leading: () => take(leadingBytes, false, 'leading'),
  };
}

const lastType = (bytes: Uint8Array | undefined) => splitNalUnits(bytes ?? new Uint8Array()).at(-1)?.type;

describe('LateEntry', () => {
  it('changes nothing for a decoder that has the group before', () => {
    const { cleanCut, entry, delta, leading } = setUp();
    expect(cleanCut()).toBe(entryBytes);
    expect(delta()).toBe(deltaBytes);
    expect(entry()).toBe(entryBytes);
    expect(leading()).toBe(leadingBytes);
    expect(delta()).toBe(deltaBytes);
  });

  it('makes a beginning of an entry, and leaves its leading pictures out', () => {
    const { entry, delta, leading } = setUp();
    expect(lastType(entry(true))).toBe(IDR);
    expect(leading()).toBeUndefined();
    expect(delta()).not.toEqual(deltaBytes);
  });

  it('goes on with the leading pictures of the next entry, in the count that it has begun', () => {
    const { entry, delta, leading } = setUp();
    entry(true);
    delta();
    expect(lastType(entry())).toBe(1);
    expect(leading()).toBeInstanceOf(Uint8Array);
  });

  it('rewrites nothing more behind a clean cut', () => {
    const { entry, cleanCut, delta } = setUp();
    entry(true);
    delta();
    expect(cleanCut()).toBe(entryBytes);
    expect(delta()).toBe(deltaBytes);
  });

  it('begins anew at each of the key frames that are sent alone for playing fast, with other numbers', () => {
    const { entry } = setUp();
    const [first, second, third] = [entry(true), entry(), entry()];
    expect([lastType(second), lastType(third)]).toEqual([IDR, IDR]);
    expect(first).not.toEqual(second);
    expect(first).toEqual(third);
  });

  it('leaves out leading pictures of H.265, and rewrites nothing', () => {
    const { entry, delta, leading } = setUp(Codec.H265);
    expect(entry(true)).toBe(entryBytes);
    expect(leading()).toBeUndefined();
    expect(delta()).toBe(deltaBytes);
  });
});
