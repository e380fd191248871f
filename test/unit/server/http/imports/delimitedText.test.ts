import { describe, expect, it } from 'vitest';
import { decimalOf } from '../../../../../server/http/imports/decimal.ts';
import { delimitedText } from '../../../../../server/http/imports/delimitedText.ts';
import { isJsonWithin } from '../../../../../server/http/imports/jsonDepth.ts';

describe('the delimiter of a text', () => {
  it.each([
    ['a,b\n1;2', ','],
    ['a;b,c;d', ';'],
    ['a\tb', '\t'],
    ['"note; internal",a,b', ','],
    ['"say ""x;y;z"" once",a', ','],
    ['\n a;b', ';'],
    ['a', ','],
    ['"a;b', ','],
  ])('of %j is the one that its header has most outside quotation marks', (text, delimiter) => {
    expect(delimitedText(text)).toEqual({ text, delimiter, linesBefore: 0 });
  });

  it.each(['sep=|\r\n', 'SEP=|\n', '"sep=|"\r'])('is what the line %j names', (line) => {
    expect(delimitedText(`${line}a;b`)).toEqual({ text: 'a;b', delimiter: '|', linesBefore: 1 });
  });

  it.each([
    ['sep=;;\r\n', ';', 1],
    [`sep=;${';'.repeat(40)}\n`, ';', 1],
    ['"sep=;";;\n', ';', 1],
    ['\r\nsep=;\r\n', ';', 2],
    ['\n \nsep=\t\t\n', '\t', 3],
  ])('is what the line %j names, filled up or behind empty ones', (lines, delimiter, linesBefore) => {
    expect(delimitedText(`${lines}a,b;c`)).toEqual({ text: 'a,b;c', delimiter, linesBefore });
  });

  it('is not named by a header that begins alike', () => {
    expect(delimitedText('sep=a,b\n')).toMatchObject({ delimiter: ',', linesBefore: 0 });
    expect(delimitedText('sep=;;a\n')).toMatchObject({ delimiter: ';', linesBefore: 0 });
  });
});

describe('a number of a file', () => {
  it.each([
    ['-12.50', -12.5],
    ['+.5', 0.5],
    ['12.', 12],
    ['1.5E-3', 0.0015],
  ])('is %j', (text, number) => {
    expect(decimalOf(text)).toBe(number);
  });

  it.each(['', ' ', '0x10', '1e', 'Infinity', '1,5', '1 2', '--1', '1e999'])('is not %j', (text) => {
    expect(decimalOf(text)).toBeUndefined();
  });
});

describe('the depth of JSON', () => {
  it('counts brackets outside texts', () => {
    expect(isJsonWithin('{"a":[1,{"b":"[[[[\\"[["}]}', 3)).toBe(true);
    expect(isJsonWithin('[[[[1]]]]', 3)).toBe(false);
    expect(isJsonWithin('[[1],[2],[3],[4]]', 2)).toBe(true);
    expect(isJsonWithin('['.repeat(5_000_000), 32)).toBe(false);
  });
});
