import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mayReorder, readSetup } from '../../../../../workers/video/decode/decoderSetup.ts';
import { parseHevcSps } from '../../../../../workers/video/decode/hevcSps.ts';
import { runs } from '../../../../support/runs.ts';
import { fromHex } from '../../../shared/protocol/video/knownSets.ts';

/** Written by x265, up to the size and its cropping and a little behind; sizes as ffprobe says them. */
const SETS = [
  ['Main, D1', '42010101600000030090000003000003005aa005820090596566924c', 'hev1.1.6.L90.90', 704, 576],
  [
    'Main 10, height cropped from 1088',
    '420101022000000300900000030000030078a003c08010e4d96566924c',
    'hev1.2.4.L120.90',
    1920,
    1080,
  ],
] as const;

/** By x265 with no B pictures, with one, and with four that refer to one another. */
const ORDERS = [
  [0, '4201010408000003009e0800000300001e900204040b2dd25261780b7020200040000003004000000642'],
  [1, '4201010408000003009e0800000300001e900204040b2c89a5261780b7020200040000030004000003006420'],
  [2, '4201010408000003009e0800000300001e900204040b2cacc94985e02dc08080010000030001000003001908'],
] as const;

describe('parseHevcSps', () => {
  it.each(SETS)('reads %s', (_name, hex, codec, width, height) => {
    expect(parseHevcSps(fromHex(hex))).toMatchObject({ codec, size: { width, height } });
  });

  it('writes a high tier, a profile space and all constraints, and skips the levels of sub-layers', () => {
    const set = Uint8Array.of(
      0x42,
      0x01,
      0x05, // two sub-layers below the last
      0x64,
      0x10,
      0x80,
      0x01,
      0x00,
      0xb0,
      0x01,
      0x02,
      0x04,
      0x08,
      0x10,
      0x99, // profile_tier_level
      0xc0,
      0x00, // the first sub-layer has a profile and a level
      ...Array(12).fill(0xff),
      0xa0,
      0x10,
      0x20,
      0x20,
      0x80, // id 0, 4:2:0, 128 x 128, not cropped
    );
    const info = parseHevcSps(set);
    expect(info?.codec).toBe('hev1.A4.800108.H153.B0.1.2.4.8.10');
  });

  it.each(ORDERS)('reads that %i pictures may be held back for their order', (maxReorder, hex) => {
    const set = fromHex(hex);
    expect(parseHevcSps(set)?.maxReorder).toBe(maxReorder);
    expect(mayReorder(Codec.H265, Uint8Array.of(0, 0, 1, ...set))).toBe(maxReorder > 0);
  });

  it('gives nothing for other units, and for the beginning of a set', () => {
    expect(parseHevcSps(fromHex('4401c172b46240'))).toBeUndefined();
    for (const [, hex] of SETS) expect(parseHevcSps(fromHex(hex).subarray(0, 14))).toBeUndefined();
  });

  it('gives a result for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const info = parseHevcSps(Uint8Array.of(0x42, 0x01, ...bytes));
        if (info !== undefined) expect(Math.min(info.size.width, info.size.height)).toBeGreaterThan(0);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('the set-up of H.265', () => {
  const clip = readFileSync(new URL('../../../../../simulator/clips/side.h265', import.meta.url));

  it('is read from a whole key frame as a camera sends it', () => {
    expect(readSetup(Codec.H265, clip.subarray(0, 20_000), true)).toMatchObject({
      kind: 'setup',
      setup: { codec: 'hev1.1.6.L63.90', name: 'H.265', size: { width: 640, height: 360 }, prefersSoftware: false },
    });
  });

  it('is not there in other bytes', () => {
    expect(readSetup(Codec.H265, clip.subarray(2_000, 4_000), false)).toEqual({ kind: 'none' });
  });
});
