import { describe, expect, it } from 'vitest';
import { JpegWalk } from '../../../../../server/events/evidence/jpegWalk.ts';
import { jpegBytes } from '../../../../support/media/jpegBytes.ts';

const WHOLE = jpegBytes(2_000);

/** Behind the start, a segment with a thumbnail that has an end of its own. */
function withThumbnail(picture: Uint8Array): Uint8Array {
  const thumbnail = jpegBytes(50);
  const length = thumbnail.length + 2;
  return Uint8Array.from([
    ...picture.subarray(0, 2),
    ...[0xff, 0xe1, length >> 8, length & 0xff],
    ...thumbnail,
    ...picture.subarray(2),
  ]);
}

const cut = (bytes: Uint8Array, by: number): Uint8Array => bytes.subarray(0, bytes.length - by);
const padded = (bytes: Uint8Array, ...tail: number[]): Uint8Array => Uint8Array.from([...bytes, ...tail]);

describe('the end of a JPEG picture', () => {
  it.each([
    ['there', WHOLE, true],
    ['there, behind a thumbnail', withThumbnail(WHOLE), true],
    ['there, with zeros behind it', padded(WHOLE, 0, 0, 0), true],
    ['there, with bytes of the maker behind it', padded(WHOLE, ...Buffer.from('SEFT trailer')), true],
    ['cut by a byte', cut(WHOLE, 1), false],
    ['cut by half', cut(WHOLE, 1_000), false],
    ['cut, and filled with zeros', padded(cut(WHOLE, 500), ...new Uint8Array(500)), false],
    ['cut, though a thumbnail has one', cut(withThumbnail(WHOLE), 2), false],
    ['cut within its segments', WHOLE.subarray(0, 12), false],
    ['that of a start alone', WHOLE.subarray(0, 2), false],
    ['behind the start at once', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9), false],
    ['behind what is no segment', padded(Uint8Array.of(0xff, 0xd8, 1, 2, 3, 4), 0xff, 0xd9), false],
    ['behind a segment shorter than its own length', Uint8Array.of(0xff, 0xd8, 0xff, 0xda, 0, 0, 0xff, 0xd9), false],
  ])('is %s', (_what, bytes, hasEnd) => {
    for (const pieceBytes of [1, 7, bytes.length]) {
      const walk = new JpegWalk();
      for (let at = 0; at < bytes.length; at += pieceBytes) walk.push(bytes.subarray(at, at + pieceBytes));
      expect(walk.hasEnd, `in pieces of ${pieceBytes}`).toBe(hasEnd);
    }
  });
});
