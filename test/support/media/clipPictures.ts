// Pictures of any shape for mp4s: real parameter sets, so that readers know the codec, and slices of random bytes.
import fc from 'fast-check';
import type { Picture } from '../../../server/recording/export/mp4/mp4Writer.ts';
import { addEscapes } from '../../../shared/protocol/codec/video/escapes.ts';

/** Main 4.0, 1280 by 720, made by x264; its picture parameter set is plain. */
export const SPS = Uint8Array.from(Buffer.from('674d4028d9005005bb011000000300100000030320f1832480', 'hex'));
export const PPS = Uint8Array.from(Buffer.from('68ebc3cb22c0', 'hex'));

const IDR_SLICE = 0x65;
const SLICE = 0x41;

export interface AnyPicture extends Picture {
  /** The units, as a mp4 must give them back. */
  readonly units: readonly Uint8Array[];
}

/**
 * A mp4's pictures in decoding order, in groups that begin with a key frame. Times are whole milliseconds; within a group
 * pictures may be shown in another order, none before its key frame.
 */
export const anyMp4: fc.Arbitrary<AnyPicture[]> = fc
  .array(
    fc.array(
      fc.record({
        data: fc.uint8Array({ maxLength: 120 }),
        stepMs: fc.oneof(
          { weight: 5, arbitrary: fc.constant(40) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
        ),
        order: fc.nat(1_000),
        slices: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 1, maxLength: 30 },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .chain((groups) => fc.boolean().map((isReordered) => clipOf(groups, isReordered)));

interface AnyPart {
  readonly data: Uint8Array;
  readonly stepMs: number;
  readonly order: number;
  readonly slices: number;
}

function clipOf(groups: readonly (readonly AnyPart[])[], isReordered: boolean): AnyPicture[] {
  let atMs = 0;
  return groups.flatMap((group) => {
    const times = group.map(({ stepMs }) => {
      atMs += stepMs;
      return atMs - stepMs;
    });
    const [keyTime = 0, ...rest] = times;
    const shuffled = group
      .slice(1)
      .map(({ order }, at) => ({ order, time: rest[at] ?? 0 }))
      .sort((a, b) => a.order - b.order)
      .map(({ time }) => time);
    const shown = [keyTime, ...(isReordered ? shuffled : rest)];
    return group.map((part, at) => pictureOf(part, shown[at] ?? 0, at === 0));
  });
}

function pictureOf({ data, slices }: AnyPart, timeMs: number, isKey: boolean): AnyPicture {
  const slice = addEscapes(Uint8Array.from([isKey ? IDR_SLICE : SLICE, ...data, 0x80]));
  const units = [...(isKey ? [SPS, PPS] : []), ...Array.from({ length: slices }, () => slice)];
  const bytes = Uint8Array.from(units.flatMap((unit) => [0, 0, 0, 1, ...unit]));
  return { bytes, timeUs: timeMs * 1000, isKey, units };
}

/** A sample as a mp4 has it: each unit with its length in front. */
export function sampleOf(units: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(units.flatMap((unit) => [0, 0, unit.length >> 8, unit.length & 0xff, ...unit]));
}
