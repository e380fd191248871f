import { describe, expect, it } from 'vitest';
import { JpegWalk, measureJpeg } from '../../../../../server/events/evidence/jpegWalk.ts';
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
      expect(walk.wholeBytes !== undefined, `in pieces of ${pieceBytes}`).toBe(hasEnd);
    }
  });
});

const whole = jpegBytes();
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const START = [0xff, 0xd8];
const END = [0xff, 0xd9];
/** Up to the coded data: start, table, frame, scan. */
const HEAD_BYTES = 2 + 6 + 13 + 10;
const segment = (code: number, content: readonly number[]): number[] => [
  0xff,
  code,
  (content.length + 2) >> 8,
  (content.length + 2) & 0xff,
  ...content,
];
/** The picture with more segments behind its start, and other coded data. */
const picture = (segments: readonly number[], coded: readonly number[] = [1, 2, 3]): Uint8Array =>
  Uint8Array.from([...START, ...segments, ...whole.subarray(2, HEAD_BYTES), ...coded, ...END]);

describe('measureJpeg', () => {
  it.each<[string, number[]]>([
    ['nothing', []],
    ['zeros', [0, 0, 0]],
    ['text', [...text('GPS 25.1,121.5')]],
    ['what looks like markers', [0xff, 0xda, 0, 8, 0xff, 0xd9]],
    ['another picture', [...jpegBytes(10)]],
    ['the end once more', END],
  ])('ends a whole picture at its end, with %s behind it', (_what, trailer) => {
    expect(measureJpeg(Uint8Array.from([...whole, ...trailer]))).toEqual({ bytes: whole.length, isWhole: true });
  });

  it.each<[string, Uint8Array]>([
    ['a thumbnail with an end of its own', picture(segment(0xe1, [...text('Exif'), ...jpegBytes(10)]))],
    ['a comment of markers', picture(segment(0xfe, [...END, ...END, 0xff, 0xda]))],
    ['coded bytes that look like markers', picture([], [0xff, 0, 0xd9, 0xff, 0, 0xda, 5])],
    ['restart markers', picture([], [1, 0xff, 0xd0, 2, 0xff, 0xd1, 3])],
    ['fill bytes before a marker', picture([0xff, 0xff, ...segment(0xfe, [1])], [1, 2, 0xff, 0xff])],
    [
      'several scans with tables between them',
      picture([], [1, ...segment(0xc4, [0, 1]), ...segment(0xda, [1, 1, 0, 0, 63, 0]), 2]),
    ],
    ['stray bytes between segments', picture([...segment(0xfe, [1]), 0, 0, 7])],
  ])('finds the end of the picture itself with %s', (_what, bytes) => {
    expect(measureJpeg(bytes)).toEqual({ bytes: bytes.length, isWhole: true });
    const followed = Uint8Array.from([...bytes, 9, 9, ...END]);
    expect(measureJpeg(followed)).toEqual({ bytes: bytes.length, isWhole: true });
  });

  it('finds nothing to show in a picture that was cut before its coded data', () => {
    for (let length = 0; length <= HEAD_BYTES; length++) expect(measureJpeg(whole.subarray(0, length))).toBeUndefined();
  });

  it('finds a picture incomplete that was cut in its coded data, or between its scans', () => {
    for (let length = HEAD_BYTES + 1; length < whole.length; length++) {
      expect(measureJpeg(whole.subarray(0, length))).toEqual({ bytes: length, isWhole: false });
    }
    const inTables = picture([], [1, ...segment(0xc4, [0, 1])]).subarray(0, -4);
    expect(measureJpeg(inTables)).toEqual({ bytes: inTables.length, isWhole: false });
  });

  it.each<[string, Uint8Array]>([
    ['another format', text('RIFF\x01\x00\x00\x00WAVEfmt ')],
    ['nothing but the marks', Uint8Array.of(...START, ...END)],
    ['a size of 0', whole.with(13, 0).with(14, 0)],
    ['no frame', whole.with(9, 0xe0)],
    ['a length that leads nowhere', whole.with(4, 0xff)],
    ['a length of 0', whole.with(5, 0)],
    ['no coded data', picture([], [])],
    ['a thumbnail alone', Uint8Array.from([...START, ...segment(0xe1, [...jpegBytes(10)]), ...END])],
  ])('finds nothing to show in %s', (_what, bytes) => {
    expect(measureJpeg(bytes)).toBeUndefined();
  });
});
