import { describe, expect, it } from 'vitest';
import { contentTypeOf, isShownInPlace } from '../../../../../server/events/evidence/contentType.ts';
import { isWholeJpeg } from '../../../../../server/events/evidence/jpeg.ts';
import { jpegBytes } from '../../../../support/media/jpegBytes.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('contentTypeOf', () => {
  it.each([
    ['image/jpeg', jpegBytes()],
    ['image/png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ['audio/wav', text('RIFF\x01\x00\x00\x00WAVEfmt ')],
    ['audio/mpeg', text('ID3\x04')],
    ['audio/mpeg', Uint8Array.of(0xff, 0xfb, 0x90, 0x64)],
    ['video/mp4', text('\x00\x00\x00\x18ftypmp42')],
    ['video/h264', Uint8Array.of(0, 0, 0, 1, 0x67, 0x42)],
    ['video/h264', Uint8Array.of(0, 0, 1, 0x09, 0x10)],
    ['text/plain', text('speed 92\r\n')],
    ['text/plain', text('緊急求救')],
    ['text/plain', text('緊急').subarray(0, 5)],
    ['text/plain', text('<script>alert(1)</script>')],
    ['application/octet-stream', Uint8Array.of()],
    ['application/octet-stream', Uint8Array.of(1, 2, 3)],
    ['application/octet-stream', Uint8Array.of(0xff, 0xff, 0xff, 0xff)],
    ['application/octet-stream', Uint8Array.of(0, 0, 0, 1, 0xe7)],
  ])('finds %s', (expected, bytes) => {
    expect(contentTypeOf(bytes)).toBe(expected);
  });

  it('lets nothing be shown in place that a browser could run', () => {
    expect(['image/jpeg', 'video/mp4', 'text/plain', 'video/h264', 'text/html'].map(isShownInPlace)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('isWholeJpeg', () => {
  const whole = jpegBytes();

  it('takes a whole picture, also one that is filled with zeros', () => {
    expect(isWholeJpeg(whole)).toBe(true);
    expect(isWholeJpeg(Uint8Array.from([...whole, 0, 0, 0]))).toBe(true);
  });

  it('takes none that was cut anywhere', () => {
    for (let length = 0; length < whole.length; length++) expect(isWholeJpeg(whole.subarray(0, length))).toBe(false);
  });

  it.each([
    ['another format', text('RIFF\x01\x00\x00\x00WAVEfmt ')],
    ['nothing but the marks', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)],
    ['a size of 0', whole.with(13, 0).with(14, 0)],
    ['no frame', whole.with(9, 0xe0)],
    ['a length that leads nowhere', whole.with(4, 0xff)],
    ['a length of 0', whole.with(5, 0)],
  ])('takes none of %s', (_what, bytes) => {
    expect(isWholeJpeg(bytes)).toBe(false);
  });
});
