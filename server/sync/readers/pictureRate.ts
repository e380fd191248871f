// The picture rate of a raw stream, from its parameter sets. Pure.

import { NalType, splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { parseSps } from '../../../shared/protocol/codec/video/sps.ts';
import { HevcNalType, hevcTypeOf } from '../../media/h265/nalTypes.ts';
import { readHevcPictureUs } from './hevcTiming.ts';
import type { FileCodec } from './streamBuilder.ts';

/** Beyond these limits a set is nonsense, or doesn't count in pictures. */
const MIN_PICTURE_US = 4_000;
const MAX_PICTURE_US = 10_000_000;

/** Duration of a picture in microseconds; undefined where the sets have none. */
export function pictureUsOf(codec: FileCodec, head: Uint8Array): number | undefined {
  const units = splitNalUnits(head);
  if (codec === 'h264') {
    const sps = units.find(({ type }) => type === NalType.Sps);
    const timing = sps && parseSps(sps.bytes)?.timing;
    // A tick is a field.
    return timing && plausible((2e6 * timing.unitsInTick) / timing.timeScale);
  }
  const sps = units.find((unit) => hevcTypeOf(unit) === HevcNalType.Sps);
  return sps && plausible(readHevcPictureUs(sps.bytes));
}

function plausible(pictureUs: number | undefined): number | undefined {
  if (pictureUs === undefined || !(pictureUs >= MIN_PICTURE_US && pictureUs <= MAX_PICTURE_US)) return undefined;
  return pictureUs;
}
