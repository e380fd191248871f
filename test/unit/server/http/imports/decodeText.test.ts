import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../../server/http/imports/decodeText.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const utf16le = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'));
const utf16be = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le').swap16());

/** What they say, as their code pages have it: there is no encoder for them in the platform. */
const BIG5_TAIPEI_BUS = Uint8Array.from([0xa5, 0x78, 0xa5, 0x5f, 0xa4, 0xbd, 0xa8, 0xae, 0x31]);
const SHIFT_JIS_TOKYO_BUS = Uint8Array.from([0x93, 0x8c, 0x8b, 0x9e, 0x83, 0x6f, 0x83, 0x58, 0x31]);
const GBK_COMPANY_CAR = Uint8Array.from([0xb9, 0xab, 0xcb, 0xbe, 0xb3, 0xb5, 0xc1, 0xbe, 0x31]);

const xml = (encoding: string, name: string) =>
  latin1(`<?xml version="1.0" encoding="${encoding}"?><kml><name>${name}</name></kml>`);

describe('the encoding of a file', () => {
  it('is UTF-8 with and without its mark, which is no part of the text', () => {
    expect(decodeText(utf8('\ufeff台北'))).toEqual({ encoding: 'utf-8', text: '台北', isGuess: false });
    expect(decodeText(utf8('台北'))).toEqual({ encoding: 'utf-8', text: '台北', isGuess: false });
  });

  it.each([
    ['utf-16le', utf16le('\ufeffname\t台北')],
    ['utf-16le', utf16le('name\t台北')],
    ['utf-16be', utf16be('\ufeffname\t台北')],
    ['utf-16be', utf16be('name\t台北')],
  ])('is %s where a mark or its zeros say so', (encoding, bytes) => {
    expect(decodeText(bytes)).toEqual({ encoding, text: 'name\t台北', isGuess: false });
  });

  it.each([
    ['utf-16le', utf16le],
    ['utf-16be', utf16be],
  ])('is %s without a mark, also with zeros on the other side', (encoding, bytesOf) => {
    for (const text of ['deviceid\tname\nC71\t台北一', `name\n${'C1\t台北市信義區第一號停車場\n'.repeat(60)}`])
      expect(decodeText(bytesOf(text))).toEqual({ encoding, text, isGuess: false });
  });

  it.each([[[0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]], [[0, 0, 0xfe, 0xff, 0, 0, 0, 0x61]]])(
    'is none for UTF-32 with a mark: %j',
    (bytes) => {
      expect(decodeText(Uint8Array.from(bytes))).toBeUndefined();
      expect(decodeText(Uint8Array.from(bytes), 'utf-16le')).toBeUndefined();
    },
  );

  it.each([
    ['ISO-8859-1', 'windows-1252', 'D\u00e9p\u00f4t', 'Dépôt'],
    ['windows-1252', 'windows-1252', '\u0080 \u0093Nord\u0094', '€ “Nord”'],
    ['windows-1251', 'windows-1251', '\u00c4\u00e5\u00ef\u00ee', 'Депо'],
    ['Big5', 'big5', '\u00a5\u0078\u00a5\u005f', '台北'],
    ['Shift_JIS', 'shift_jis', '\u0093\u008c\u008b\u009e', '東京'],
    ['GB2312', 'gbk', '\u00b9\u00ab\u00cb\u00be', '公司'],
  ])('is what an XML declaration says: %s', (declared, encoding, bytes, name) => {
    const decoded = decodeText(xml(declared, bytes));
    expect(decoded).toMatchObject({ encoding, isGuess: false });
    expect(decoded?.text).toContain(`<name>${name}</name>`);
  });

  it('is not what an XML declaration says that can be read, and says that it could not', () => {
    expect(decodeText(xml('UTF-16', 'A'))).toMatchObject({ encoding: 'utf-8', isGuess: false });
    expect(decodeText(xml('EBCDIC-FR', 'A'))).toBeUndefined();
  });

  it.each([
    ['big5', BIG5_TAIPEI_BUS, '台北公車1'],
    ['shift_jis', SHIFT_JIS_TOKYO_BUS, '東京バス1'],
    ['gbk', GBK_COMPANY_CAR, '公司车辆1'],
    ['windows-1252', latin1('name\nD\u00e9p\u00f4t Gen\u00e8ve\nM\u00fcnchen'), 'name\nDépôt Genève\nMünchen'],
  ])('is guessed, and said to be, for %s without a word', (encoding, bytes, text) => {
    expect(decodeText(bytes)).toEqual({ encoding, text, isGuess: true });
  });

  it('can be said, and is then no other', () => {
    expect(decodeText(BIG5_TAIPEI_BUS, 'utf-8')).toBeUndefined();
    expect(decodeText(SHIFT_JIS_TOKYO_BUS, 'shift_jis')).toMatchObject({ text: '東京バス1', isGuess: false });
    expect(decodeText(xml('ISO-8859-1', '\u00a5\u0078'), 'big5')?.text).toContain('<name>台</name>');
  });

  it('is none for bytes that are no text', () => {
    expect(decodeText(Uint8Array.from([0x61, 0xff, 0xff]))).toBeUndefined();
    expect(decodeText(Uint8Array.from([0xef, 0xbb, 0xbf, 0xff]))).toBeUndefined();
  });
});
