import { describe, expect, it } from 'vitest';
import { contentTypeOf, isShownInPlace } from '../../../../../server/events/evidence/contentType.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('contentTypeOf', () => {
  it.each([
    ['image/jpeg', Uint8Array.of(0xff, 0xd8, 0xff, 0xdb)],
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
