import { expect, it } from 'vitest';
import { PictureSets } from '../../../../server/media/h264/pictureSets.ts';

const unit = (...bytes: number[]) => ({ type: 8, bytes: Uint8Array.from(bytes) });

it('a picture parameter set takes the place of the one with its number', () => {
  const sets = new PictureSets();
  sets.set(0, unit(1));
  sets.set(1, unit(2));
  sets.set(0, unit(3, 4));
  expect([...sets.all()].map(({ bytes }) => [...bytes])).toEqual([[3, 4], [2]]);
});

it('a picture parameter set that is kept does not keep the picture in which it came', () => {
  const sets = new PictureSets();
  const picture = new Uint8Array(100_000);
  sets.set(0, { type: 8, bytes: picture.subarray(10, 20) });
  expect([...sets.all()].map(({ bytes }) => bytes.buffer.byteLength)).toEqual([10]);
});
