import { describe, expect, it } from 'vitest';
import { crc8, crc16 } from '../../../../../../server/recording/export/flac/crc.ts';

// The catalogues of CRCs give what each makes of these nine digits.
const DIGITS = new TextEncoder().encode('123456789');

describe('the checks of a FLAC frame', () => {
  it('are CRC-8 with 0x07 and CRC-16 with 0x8005, both from 0 on', () => {
    expect(crc8(DIGITS, 9)).toBe(0xf4);
    expect(crc16(DIGITS, 9)).toBe(0xfee8);
  });

  it('are of as many bytes as they are told, those that make no word of four included', () => {
    for (let end = 0; end <= 9; end++) {
      expect(crc16(DIGITS, end)).toBe(crc16(DIGITS.slice(0, end), end));
      // What is divided by itself leaves nothing: that holds for any number of bytes.
      const check = crc16(DIGITS, end);
      expect(crc16(Uint8Array.of(...DIGITS.subarray(0, end), check >> 8, check & 0xff), end + 2)).toBe(0);
      expect(crc8(Uint8Array.of(...DIGITS.subarray(0, end), crc8(DIGITS, end)), end + 1)).toBe(0);
    }
  });
});
