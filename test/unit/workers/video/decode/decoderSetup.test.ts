import { describe, expect, it } from 'vitest';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mayReorder } from '../../../../../workers/video/decode/decoderSetup.ts';
import { fromHex } from '../../../shared/protocol/video/knownSets.ts';
import { annexB, IDR, PPS, SLICE, setNamed } from './parameterSets.ts';

/** Main profile, 640x360, and no usability information. */
const SILENT = '674d401eeca05017fca8';

describe('whether pictures may be reordered', () => {
  it.each([
    ['is ruled out by a baseline profile', 'constrained baseline, CIF', false],
    ['is ruled out by a set that says so', 'high without B pictures', false],
    ['is allowed by a set that announces it', 'main, height cropped from 368', true],
  ])('%s', (_text, name, expected) => {
    expect(mayReorder(Codec.H264, annexB(setNamed(name), PPS, IDR))).toBe(expected);
  });

  it('is allowed by a set that says nothing of it', () => {
    expect(mayReorder(Codec.H264, annexB(fromHex(SILENT), PPS, IDR))).toBe(true);
  });

  it('is not known without a set, or of another codec', () => {
    expect(mayReorder(Codec.H264, annexB(SLICE))).toBeUndefined();
    expect(mayReorder(Codec.H265, annexB(SLICE))).toBeUndefined();
    expect(mayReorder(Codec.Av1, annexB(setNamed('CIF'), PPS, IDR))).toBeUndefined();
  });
});
