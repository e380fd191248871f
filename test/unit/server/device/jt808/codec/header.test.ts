import { describe, expect, it } from 'vitest';
import {
  canonicalTerminal,
  decodeHeader,
  encodeHeader,
  isTerminal,
  terminalNumber,
} from '../../../../../../server/device/jt808/codec/header.ts';
import { hexOf, ofHex } from './vectors.ts';

const FORM = { messageId: 0x0200, bodyLength: 0 };

describe('header', () => {
  it('has six digits pairs and no version in 2013', () => {
    const result = decodeHeader(ofHex('0002 0000 013912344323 0007'.replaceAll(' ', '')));
    expect(result).toEqual({
      ok: true,
      body: new Uint8Array(0),
      header: {
        messageId: 2,
        edition: '2013',
        protocolVersion: 0,
        encryption: 0,
        terminal: { raw: '013912344323', canonical: '13912344323' },
        serial: 7,
        bodyLength: 0,
      },
    });
  });

  it('has ten, a version and package numbers in 2019', () => {
    const hex = '0100 6401 02 00000000013912344329 ffff 0003 0001 aa'.replaceAll(' ', '');
    expect(decodeHeader(ofHex(hex))).toMatchObject({
      ok: true,
      body: Uint8Array.of(0xaa),
      header: {
        edition: '2019',
        protocolVersion: 2,
        encryption: 1,
        terminal: { canonical: '13912344329' },
        serial: 0xffff,
        part: { total: 3, number: 1 },
      },
    });
  });

  it('goes back in the form in which it came, without the packages and the cipher of the question', () => {
    const question = decodeHeader(ofHex('0100640102000000000139123443290005000300' + '01aa'));
    if (!question.ok) throw new Error(question.reason);
    expect(hexOf(encodeHeader({ ...question.header, serial: 9 }, { messageId: 0x8100, bodyLength: 3 }))).toBe(
      '810040030200000000013912344329' + '0009',
    );
  });

  it('names the sender where the length field is wrong', () => {
    for (const length of ['0002', '0000']) {
      const result = decodeHeader(ofHex(`0200${length}0139123443230001aa`));
      expect(result).toMatchObject({ ok: false, header: { terminal: { canonical: '13912344323' } } });
      expect(decodeHeader(ofHex(`0200${length}0139123443230001aa`), { trustFrameLength: true })).toMatchObject({
        ok: true,
        body: Uint8Array.of(0xaa),
      });
    }
  });

  it('is refused where it is cut, at every length', () => {
    const whole = ofHex('0100600001000000000139123443290000' + '00030001');
    expect(decodeHeader(whole).ok).toBe(true);
    for (let length = 0; length < whole.length; length++) {
      expect(decodeHeader(whole.subarray(0, length))).toMatchObject({ ok: false });
    }
  });

  it('is not built for a body too long, or for a number of another width', () => {
    const fields = { edition: '2013', protocolVersion: 0, terminal: terminalNumber('1', '2013'), serial: 0 } as const;
    expect(encodeHeader(fields, { ...FORM, bodyLength: 1023 })).toHaveLength(12);
    expect(() => encodeHeader(fields, { ...FORM, bodyLength: 1024 })).toThrow(RangeError);
    expect(() => encodeHeader({ ...fields, edition: '2019' }, FORM)).toThrow(RangeError);
    expect(() => encodeHeader({ ...fields, serial: 65_536 }, FORM)).toThrow(RangeError);
  });
});

describe('terminal numbers', () => {
  it('are one whatever the zeros in front', () => {
    expect(canonicalTerminal('000000000678')).toBe('678');
    expect(canonicalTerminal('00000000000000000678')).toBe('678');
    expect(canonicalTerminal('000000000000')).toBe('0');
    expect(terminalNumber('678', '2019')).toEqual({ raw: '00000000000000000678', canonical: '678' });
  });

  it('stay as they are where their digits are hexadecimal', () => {
    expect(canonicalTerminal('4F07788EF676')).toBe('4f07788ef676');
    expect(canonicalTerminal('0b3a73ce2ff2')).toBe('0b3a73ce2ff2');
  });

  it('keep digits that a number would lose', () => {
    expect(canonicalTerminal('12345678901234567890')).toBe('12345678901234567890');
  });

  it('match across widths', () => {
    expect(isTerminal('013912344323', '13912344323')).toBe(true);
    expect(isTerminal('00000000013912344323', '13912344323')).toBe(true);
    expect(isTerminal('901234567890', '12345678901234567890')).toBe(true);
    expect(isTerminal('000000004f07788ef676', '4f07788ef676')).toBe(true);
    expect(isTerminal('12345678901234567890', '901234567890')).toBe(false);
    expect(isTerminal('013912344323', '3912344323')).toBe(false);
  });
});
