import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader, BitWriter } from '../../../../../server/device/h264/bits.ts';
import { addEscapes, removeEscapes } from '../../../../../server/device/h264/escapes.ts';
import { ReorderWatch } from '../../../../../server/device/h264/reorderWatch.ts';
import { isBSlice } from '../../../../../server/device/h264/slice.ts';
import { excludesReordering, parseSpsOrder, withoutReordering } from '../../../../../server/device/h264/sps.ts';

/** Made by x264 with the profile, level and options named. */
const X264_SETS: Readonly<Record<string, { hex: string; pocType: number; reorder: number }>> = {
  'baseline 3.0, CIF': {
    hex: '6742c01ed9016096c044000003000400000300c83c58b920',
    pocType: 2,
    reorder: 0,
  },
  'main 4.0, 720p': {
    hex: '674d4028d9005005bb011000000300100000030320f1832480',
    pocType: 2,
    reorder: 0,
  },
  'high 5.1, 1080p, B pictures': {
    hex: '67640033acd940780227e5c044000003000400000300c83c60c658',
    pocType: 0,
    reorder: 2,
  },
  'high 3.1, four references': {
    hex: '6764001facb281405ff2e022000003000200000300641e3064b0',
    pocType: 2,
    reorder: 0,
  },
  'main 3.0, HRD': {
    hex: '674d401ed900b0126c0440000003004000000c992000c3500186b930c01e2c5c90',
    pocType: 2,
    reorder: 0,
  },
  'high 3.0, aspect ratio, colours, overscan, B pictures': {
    hex: '6764001eacd940b0126c069c040405000003000100000300320f162d96',
    pocType: 0,
    reorder: 2,
  },
  'high 3.0, interlaced': {
    hex: '6764001eace402c0936022000003000200000300643e285490',
    pocType: 0,
    reorder: 0,
  },
  'high 3.0, cropped': {
    hex: '6764001eacb2016824f11580880000030008000003019078b17240',
    pocType: 2,
    reorder: 0,
  },
  'high 10, scaling matrices': {
    hex: '676e000da6cb202c12d808800000030080000019078a1524',
    pocType: 2,
    reorder: 0,
  },
  'high 4:4:4, B pictures': {
    hex: '67f4000d919b282c12d808800000030080000019078a14cb',
    pocType: 0,
    reorder: 2,
  },
};
const SETS = Object.entries(X264_SETS).map(([name, set]) => ({ name, ...set, bytes: ofHex(set.hex) }));

function ofHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

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
  it.each(SETS)('reads $name', ({ bytes, pocType, reorder }) => {
    expect(parseSpsOrder(bytes)).toMatchObject({ pocType, maxReorderFrames: reorder });
  });

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
    expect(parseSpsOrder(ofHex('68ee3c80'))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (tail) => {
        const unit = new Uint8Array([0x67, ...tail]);
        const rewritten = withoutReordering(unit);
        if (rewritten !== undefined) expect(parseSpsOrder(rewritten)?.maxReorderFrames).toBe(0);
      }),
      { numRuns: 2_000 },
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
  const announced = ofHex(X264_SETS['high 5.1, 1080p, B pictures']?.hex ?? '');
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
