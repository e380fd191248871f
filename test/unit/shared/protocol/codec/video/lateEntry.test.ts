import { describe, expect, it } from 'vitest';
import { LateEntry } from '../../../../../../shared/protocol/codec/video/lateEntry.ts';
import { splitNalUnits } from '../../../../../../shared/protocol/codec/video/nalUnits.ts';
import { Codec, type Dependence } from '../../../../../../shared/protocol/stream/streamPacket.ts';
import {
  accessUnit,
  pictureSet,
  recoveryPoint,
  SliceType,
  sequenceSet,
  sliceOf,
} from '../../../../../support/media/slices.ts';

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

describe('LateEntry, where gradual refresh begins', () => {
  const FRAMES = 3;
  const entryUnit = accessUnit(
    ...[sequenceSet(), pictureSet(), recoveryPoint(FRAMES)],
    sliceOf({ type: SliceType.P, frameNumber: 4, order: 20 }),
  );
  const picture = (place: number, isReference = true): Uint8Array<ArrayBuffer> => {
    const type = isReference ? SliceType.P : SliceType.B;
    return accessUnit(sliceOf({ type, frameNumber: (4 + place) % 16, order: (20 + 2 * place) % 64, isReference }));
  };

  function begun() {
    const late = new LateEntry();
    const take = (bytes: Uint8Array<ArrayBuffer>, place: number, isReference = true) =>
      late.take(
        { codec: Codec.H264, key: false, mediaTimeUs: place },
        isReference ? bytes : picture(place, false),
        false,
      );
    return {
      entry: (place: number, isAlone: boolean) =>
        late.take({ codec: Codec.H264, key: true, dependence: 'recovering', mediaTimeUs: place }, entryUnit, isAlone),
      clean: () => late.take({ codec: Codec.H264, key: true, mediaTimeUs: 0 }, entryBytes, false),
      leading: () =>
        late.take({ codec: Codec.H264, key: false, dependence: 'leading', mediaTimeUs: -1 }, leadingBytes, false),
      next: (place: number) => take(picture(place), place),
      between: (place: number) => take(picture(place), place, false),
    };
  }

  it('changes and hides nothing for a decoder that has the group before', () => {
    const { clean, entry, next, leading } = begun();
    clean();
    next(-1);
    expect(entry(0, false)).toEqual({ standIns: [], bytes: entryUnit, unseen: false });
    expect(leading()).toMatchObject({ bytes: leadingBytes, unseen: false });
    expect(next(1)).toEqual({ standIns: [], bytes: picture(1), unseen: false });
  });

  it('hides pictures of a decoder that lacks it until as many frames have come as the message says', () => {
    const { entry, next, leading } = begun();
    const first = entry(0, true);
    expect(first?.standIns).toHaveLength(4);
    expect(lastType(first?.standIns[0])).toBe(IDR);
    expect(first?.unseen).toBe(true);
    expect(leading()).toBeUndefined();
    const shown = [1, 2, 3, 4, 5].map((place) => next(place)?.unseen);
    expect(shown).toEqual([true, true, false, false, false]);
    expect(next(6)?.standIns).toEqual([]);
  });

  it('counts only pictures that others refer to, and hides those that are shown before the first right one', () => {
    const { entry, next, between } = begun();
    entry(0, true);
    const places = [2, 1, 4, 3, 6, 5, 8, 7];
    const unseen = places.map((place) => (place % 2 === 0 ? next(place) : between(place))?.unseen);
    expect(unseen).toEqual([true, true, true, true, false, true, false, false]);
  });

  it('goes on across the next one, as it has begun', () => {
    const { entry, next } = begun();
    entry(0, true);
    next(1);
    expect(entry(2, false)).toMatchObject({ standIns: [], unseen: true });
    expect([next(3)?.unseen, next(4)?.unseen]).toEqual([false, false]);
  });

  it('begins anew where something is missing before it, and shows all behind a clean cut', () => {
    const { entry, next, clean } = begun();
    entry(0, true);
    for (const place of [1, 2, 3, 4]) next(place);
    expect(entry(10, true)?.standIns).toHaveLength(4);
    expect(next(11)?.unseen).toBe(true);
    expect(clean()).toEqual({ standIns: [], bytes: entryBytes, unseen: false });
    expect(next(13)?.unseen).toBe(false);
  });

  it('hides nothing for good where the clock is set back', () => {
    const { entry, next } = begun();
    entry(0, true);
    for (const place of [1, 2, 3]) next(place);
    const unseen = Array.from({ length: 20 }, (_, at) => next(at - 1_000)?.unseen);
    expect(unseen.indexOf(false)).toBeGreaterThan(0);
    expect(unseen.at(-1)).toBe(false);
  });
});
