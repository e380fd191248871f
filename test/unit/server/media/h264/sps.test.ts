import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReorderWatch } from '../../../../../server/media/h264/reorderWatch.ts';
import { isBSlice } from '../../../../../server/media/h264/slice.ts';
import { excludesReordering, parseSpsOrder, withoutReordering } from '../../../../../server/media/h264/sps.ts';
import { BitReader } from '../../../../../shared/protocol/codec/video/bitReader.ts';
import { BitWriter } from '../../../../../shared/protocol/codec/video/bitWriter.ts';
import { addEscapes, removeEscapes } from '../../../../../shared/protocol/codec/video/escapes.ts';
import { runs } from '../../../../support/runs.ts';
import { fromHex, SETS_BY_X264, X264_SETS } from '../../../shared/protocol/video/knownSets.ts';

const SETS = SETS_BY_X264;

/** The set as a camera writes it that says nothing of the order: without a VUI, or with one that ends early. */
function silenced(set: Uint8Array, how: 'no VUI' | 'no restriction'): Uint8Array {
  const places = parseSpsOrder(set)?.places;
  const at = how === 'no VUI' ? places?.vuiFlag : places?.restrictionFlag;
  if (at === undefined) throw new Error('no such place');
  const to = new BitWriter();
  to.copy(removeEscapes(set), 0, at);
  to.bit(0);
  return addEscapes(to.finish());
}

function hasStartCode(unit: Uint8Array): boolean {
  return unit.some((byte, at) => byte <= 2 && unit[at - 1] === 0 && unit[at - 2] === 0);
}

describe('parseSpsOrder', () => {
  it.each(SETS)('finds the end of $name where x264 put it', ({ bytes }) => {
    // What the parser leaves over is the stop bit and its filling: nothing was read wrong on the way.
    const order = parseSpsOrder(bytes);
    const to = new BitWriter();
    to.copy(removeEscapes(bytes), 0, order?.places.reorder ?? 0);
    to.unsigned(order?.maxReorderFrames ?? 0);
    to.unsigned(order?.places.maxDecFrameBuffering ?? 0);
    expect(addEscapes(to.finish())).toEqual(bytes);
  });

  it('takes any bytes and no set for none', () => {
    expect(parseSpsOrder(fromHex('68ee3c80'))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (tail) => {
        const unit = new Uint8Array([0x67, ...tail]);
        const rewritten = withoutReordering(unit);
        if (rewritten !== undefined) expect(parseSpsOrder(rewritten)?.maxReorderFrames).toBe(0);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('knows the sets that rule reordering out', () => {
    const excluding = SETS.filter(({ bytes }) => {
      const order = parseSpsOrder(bytes);
      return order !== undefined && excludesReordering(order);
    });
    expect(excluding.map(({ name }) => name)).toEqual(
      SETS.filter(({ name, pocType }) => pocType === 2 || name.startsWith('baseline')).map(({ name }) => name),
    );
  });
});

describe('withoutReordering', () => {
  const cases = SETS.flatMap((set) => [
    { ...set, name: set.name },
    { ...set, name: `${set.name}, without VUI`, bytes: silenced(set.bytes, 'no VUI') },
    { ...set, name: `${set.name}, without restriction`, bytes: silenced(set.bytes, 'no restriction') },
  ]);

  it.each(cases)('promises for $name that nothing is held back, and changes nothing else', ({ bytes }) => {
    const before = parseSpsOrder(bytes);
    const rewritten = withoutReordering(bytes) ?? new Uint8Array();
    const after = parseSpsOrder(rewritten);
    expect(after).toMatchObject({
      maxReorderFrames: 0,
      profile: before?.profile,
      pocType: before?.pocType,
      maxRefFrames: before?.maxRefFrames,
    });
    // A buffer smaller than the pictures that are referred to would break the stream.
    expect(after?.places.maxDecFrameBuffering).toBeGreaterThanOrEqual(before?.maxRefFrames ?? 99);
    const kept = before?.places.restrictionFlag ?? before?.places.vuiFlag ?? 0;
    const [one, two] = [new BitWriter(), new BitWriter()];
    one.copy(removeEscapes(bytes), 0, kept);
    two.copy(removeEscapes(rewritten), 0, kept);
    expect(two.finish()).toEqual(one.finish());
    expect(hasStartCode(rewritten)).toBe(false);
    expect(withoutReordering(rewritten)).toBe(rewritten);
  });
});

describe('emulation prevention', () => {
  it('comes back whatever the bytes are, and never looks like a start code', () => {
    const zeros = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 3) }, fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(zeros, { minLength: 1, maxLength: 40 }), (values) => {
        const plain = Uint8Array.from([...values, 0x80]);
        const escaped = addEscapes(plain);
        expect(hasStartCode(escaped)).toBe(false);
        expect(removeEscapes(escaped)).toEqual(plain);
      }),
    );
  });

  it('numbers are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 31 }), { maxLength: 20 }), (numbers) => {
        const to = new BitWriter();
        for (const number of numbers) to.unsigned(number);
        const from = new BitReader(to.finish());
        expect(numbers.map(() => from.unsigned())).toEqual(numbers);
        expect(from.overrun).toBe(false);
      }),
    );
  });
});

describe('isBSlice', () => {
  const slice = (header: number, firstMacroblock: number, sliceType: number): Uint8Array => {
    const to = new BitWriter();
    to.bits(header, 8);
    to.unsigned(firstMacroblock);
    to.unsigned(sliceType);
    return to.finish();
  };

  it.each([
    [0x41, 0, 0, false],
    [0x01, 0, 1, true],
    [0x41, 300, 6, true],
    [0x41, 0, 2, false],
    [0x41, 0, 7, false],
    [0x65, 0, 6, false],
  ])('tells the type of a slice with header %i, first %i, type %i', (header, first, type, expected) => {
    expect(isBSlice(slice(header, first, type))).toBe(expected);
  });

  it('takes a cut slice for none', () => {
    expect(isBSlice(Uint8Array.from([0x41]))).toBe(false);
    expect(isBSlice(new Uint8Array())).toBe(false);
  });
});

describe('ReorderWatch', () => {
  const announced = fromHex(X264_SETS['high 5.1, 1080p, B pictures']?.hex ?? '');
  const silent = silenced(announced, 'no VUI');
  const promises = (set: Uint8Array): boolean => parseSpsOrder(set)?.maxReorderFrames === 0;
  const group = (watch: ReorderWatch, pictures = 10): void => {
    for (let picture = 0; picture < pictures; picture++) watch.observe(picture === 0, false);
  };

  it('promises at once for a set that says nothing, until a B picture is seen', () => {
    const watch = new ReorderWatch();
    expect(promises(watch.rewrite(silent))).toBe(true);
    watch.observe(false, true);
    expect(watch.rewrite(silent)).toBe(silent);
    group(watch);
    group(watch);
    group(watch);
    group(watch);
    expect(watch.rewrite(silent)).toBe(silent);
  });

  it('believes a set that announces reordering for three groups', () => {
    const watch = new ReorderWatch();
    for (let count = 0; count < 3; count++) group(watch);
    expect(watch.rewrite(announced)).toBe(announced);
    group(watch);
    expect(promises(watch.rewrite(announced))).toBe(true);
  });

  it('learns nothing from a stream of key frames alone', () => {
    const watch = new ReorderWatch();
    for (let count = 0; count < 50; count++) watch.observe(true, false);
    expect(watch.rewrite(announced)).toBe(announced);
  });

  it('passes on what is no set', () => {
    const damaged = Uint8Array.from([0x67, 0x4d, 0x40]);
    expect(new ReorderWatch().rewrite(damaged)).toBe(damaged);
  });
});
